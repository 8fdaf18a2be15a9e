// Adds the names of cards, variables, zones and similar items to the Program.
#pragma once

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

void describe(ProgramContext& unit);

}   // namespace cardwright::lower
