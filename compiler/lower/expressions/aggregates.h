// Lowers filters, aggregates and quantifiers over sets.
#pragma once

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

Register counts_as(const FunctionContext& code, const model::Expr& e);
Register filter(const FunctionContext& code, const model::Expr& e);
Register aggregate(const FunctionContext& code, const model::Expr& e);
Register exists(const FunctionContext& code, const model::Expr& e);
Register best(const FunctionContext& code, const model::Expr& e, bool first_alone);

}   // namespace cardwright::lower
