// Lowers sets, loops over their elements, and aggregates.
#pragma once

#include <functional>
#include <vector>

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

// Returns the elements of `domain` (a register with a set or mask) that satisfy `where`, or all elements if `where` is
// null.
Register filtered(const FunctionContext& code, Register domain, bool cards, model::LocalId local,
                  const model::Expr* where);
Register also_set(const FunctionContext& code, const std::vector<Int>& kinds, Register domain, Register holder);
RegisterType element_type(const FunctionContext& code, Register set);
// A set is stored in words, a mask in an int; the type of the register distinguishes them.
inline bool takes_words(const FunctionContext& code, Register set) {
  return code.type(set).kind == ir::RegisterKind::set;
}
void make_empty(const FunctionContext& code, Register set);
void put_in(const FunctionContext& code, Register set, Register element);
void unite(const FunctionContext& code, Register set, Register others);
Register count_of(const FunctionContext& code, Register set);
Register has_any(const FunctionContext& code, Register set);
// Removes and returns the first element. The set must not be empty.
Register take_first(const FunctionContext& code, Register rest);
void for_each(const FunctionContext& code, Register domain, const std::function<void(Register)>& body);
void clockwise(const FunctionContext& code, Register mask, Register start, bool backwards,
               const std::function<void(Register, BlockIndex next)>& body);
Register counts_as(const FunctionContext& code, const model::Expr& e);
Register filter(const FunctionContext& code, const model::Expr& e);
Register aggregate(const FunctionContext& code, const model::Expr& e);
Register exists(const FunctionContext& code, const model::Expr& e);
Register number_mask(const FunctionContext& code, Register lo, Register hi);
Register best(const FunctionContext& code, const model::Expr& e, bool first_alone);

}   // namespace cardwright::lower
