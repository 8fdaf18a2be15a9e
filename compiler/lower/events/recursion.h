// Bounds the depth of recursive calls, and finds the calls that cannot execute `end`.
#pragma once

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

void note_ways_out(ProgramContext& unit);
void bound_recursion(ProgramContext& unit);

}   // namespace cardwright::lower
