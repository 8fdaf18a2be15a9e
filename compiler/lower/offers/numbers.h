// Computes the bounds between which numbers are offered as options.
#pragma once

#include <vector>

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

std::vector<const model::Expr*> bounds_among(const FunctionContext& code,
                                             const std::vector<const model::Expr*>& conditions, model::LocalId number,
                                             std::vector<const model::Expr*>& left);
void narrow_numbers(const FunctionContext& code, const std::vector<const model::Expr*>& bounds, model::LocalId number,
                    Register low, Register high);
Register count_numbers(const FunctionContext& code, Register low, Register high);

}   // namespace cardwright::lower
