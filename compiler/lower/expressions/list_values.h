// Lowers list expressions, and loops over their elements.
#pragma once

#include <functional>

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

bool is_plain_list(const ProgramContext& unit, const model::Expr& e);
Register state_list(const FunctionContext& code, Op op, const model::Expr& list, const model::Expr* at = nullptr);
Register listed_set(const FunctionContext& code, const model::Expr& e);

// Emits the code for one element of a list. The code may jump to `next` to continue with the next element.
using ListedBody = std::function<void(const FunctionContext& code, Register element, BlockIndex next)>;

void for_each_listed(const FunctionContext& code, const model::Expr& list, const ListedBody& body);
Register list_value(const FunctionContext& code, const model::Expr& e);
Register list_operation(const FunctionContext& code, const model::Expr& e);

}   // namespace cardwright::lower
