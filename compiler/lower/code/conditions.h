// Converts conditions to numbers.
#pragma once

#include <functional>

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

// Returns a register that is 1 if the code emitted by `branch` jumps to `yes`, or 0 if it jumps to `no`.
Register truth_of(const FunctionContext& code, const std::function<void(BlockIndex yes, BlockIndex no)>& branch);
Register condition_value(const FunctionContext& code, const model::Expr& e);

}   // namespace cardwright::lower
