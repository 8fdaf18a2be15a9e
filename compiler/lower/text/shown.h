// Lowers the values displayed next to boards, players and the table.
#pragma once

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

Int lower_shown_text(ProgramContext& unit, const model::ShownText& shown, bool of_something, bool sign);
void lower_shown(ProgramContext& unit);

}   // namespace cardwright::lower
