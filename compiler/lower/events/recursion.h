// Bounds the depth of recursive calls, and removes the code that handles `end` after calls that cannot execute one.
#pragma once

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

void remove_exit_tests(ProgramContext& unit);
void bound_recursion(ProgramContext& unit);

}   // namespace cardwright::lower
