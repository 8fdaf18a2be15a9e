// Lowers expressions and conditions.
#pragma once

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

Register lower_expr(const FunctionContext& code, const model::Expr& e);
// Jumps to `yes` if the condition is true, otherwise to `no`.
void lower_condition(const FunctionContext& code, const model::Expr& e, BlockIndex yes, BlockIndex no);

}   // namespace cardwright::lower
