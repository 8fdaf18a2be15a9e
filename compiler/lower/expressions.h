// Expressions and conditions.
#pragma once

#include "compiler/lower/function_context.h"

namespace cardwright::lower {

Register expr(FunctionContext& code, const model::Expr& e);
void branch_on(FunctionContext& code, const model::Expr& e, BlockIndex yes, BlockIndex no);
Register condition_value(FunctionContext& code, const model::Expr& e);

}  // namespace cardwright::lower
