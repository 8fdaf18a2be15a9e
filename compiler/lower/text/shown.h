// Lowers the values displayed next to boards, players and the table.
#pragma once

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

void lower_shown(ProgramContext& unit);

}   // namespace cardwright::lower
