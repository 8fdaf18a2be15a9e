// Conditions over players, parts of areas and small numbers without a loop.
#pragma once

#include <optional>
#include <vector>

#include "compiler/lower/function_context.h"

namespace cardwright::lower {

// The elements of the mask for which `condition` over `local` holds, if it can be said without a loop over them.
std::optional<Register> element_mask(const FunctionContext& code, const model::Expr& condition, model::LocalId local,
                                     Register domain);
std::optional<std::size_t> element_argument(const ProgramContext& unit, const model::Expr& call, model::LocalId local);
std::vector<Register> other_arguments(const FunctionContext& code, const model::Expr& call, std::size_t element);
bool is_small(const ProgramContext& unit, const model::Expr& e);
std::optional<Register> elements_topped_as_known(const FunctionContext& code, const model::Expr& condition,
                                                 model::LocalId local, Register domain);
std::optional<Register> set_where_exists(const FunctionContext& code, const model::Expr& condition,
                                         model::LocalId local, Register domain);
std::optional<Register> cards_by_number(const FunctionContext& code, const model::Expr& condition, model::LocalId local,
                                        Register domain);

}  // namespace cardwright::lower
