// Emits functions that explain the result of a condition.
#pragma once

#include <string_view>

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

void explain(const FunctionContext& code, const model::Expr& e, BlockIndex yes, BlockIndex no);
// Tests whether x is in the set, and explains the result. `whole` is the condition in the source. If `set` is only a
// part of it, the note begins with `side`.
void explain_member(const FunctionContext& code, const model::Expr& whole, Register x, const model::Expr& set,
                    BlockIndex yes, BlockIndex no, std::string_view side = {});
void explain_return(const FunctionContext& code, const model::Stmt& s);

}   // namespace cardwright::lower
