// Emits reads and writes of scratch variables.
#pragma once

#include <vector>

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

// Sets a scratch variable for the duration of the emitted function; leave_function restores it.
void save_and_set(const FunctionContext& code, Int variable, Register value);
Register scratch_value(const FunctionContext& code, Int variable);
// Reads a variable without a check: an unset variable is read as none.
Register load_raw(const FunctionContext& code, Int variable, Register index = ir::kNoRegister);
void put_scratch(const FunctionContext& code, Int variable, Register value);
void hand_over(const FunctionContext& code, const std::vector<Register>& values);

}   // namespace cardwright::lower
