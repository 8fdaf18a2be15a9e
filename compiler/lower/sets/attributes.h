// Lowers attributes and tables that are printed on cards.
#pragma once

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

bool is_printed_table(const model::Expr& e);
Register printed_entry(const FunctionContext& code, const model::Expr& e);
Register attribute(const FunctionContext& code, const model::Expr& e);

}   // namespace cardwright::lower
