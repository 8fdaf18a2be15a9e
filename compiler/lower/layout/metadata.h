// Adds to the Program the names, strings and other data that are displayed to players.
#pragma once

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

void describe(ProgramContext& unit);

}   // namespace cardwright::lower
