// Emits the exits of a function: `return`, `end`, and leaving a window.
#pragma once

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

void leave_function(const FunctionContext& code, Register value);
// Ends `target`. The variable `running` counts the running events or windows of that kind. If the count is 0, the code
// leaves only the current rule.
void end_of(const FunctionContext& code, Int target, Int running = -1);
void check_unwind(const FunctionContext& code);
void leave_window(const FunctionContext& code);

}   // namespace cardwright::lower
