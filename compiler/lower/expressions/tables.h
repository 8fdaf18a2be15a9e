// Lowers tables that are stored in locals of rules.
#pragma once

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

Register entry_of(const FunctionContext& code, const model::Expr& e);
void set_entry(const FunctionContext& code, Register table, const model::Type& type, const model::Expr& key,
               const model::Expr& value);
Register load_table(const FunctionContext& code, const model::Expr& e);

}   // namespace cardwright::lower
