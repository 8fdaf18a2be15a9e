// Emits the code of values and functions at the call site.
#pragma once

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

Register inline_value(const FunctionContext& code, const model::Expr& e);
Register inline_call(const FunctionContext& code, const model::Expr& e);

}   // namespace cardwright::lower
