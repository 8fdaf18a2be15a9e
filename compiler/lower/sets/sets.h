// Emits the operations on sets in registers, and loops over their elements.
#pragma once

#include <functional>

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

RegisterType element_type(const FunctionContext& code, Register set);

// Returns whether the register contains a set, which is stored in words, rather than a mask, which is stored in an int.
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
Register number_mask(const FunctionContext& code, Register lo, Register hi);
// Returns the set of all values of a type from which actions choose.
Register universe(const FunctionContext& code, const model::Type& element);
// Like for_each(), but for a body without side effects: expressions that do not depend on the element are evaluated
// only once.
void look_through(const FunctionContext& code, Register domain,
                  const std::function<void(const FunctionContext& looking, Register element)>& body);
Register as_cards(const FunctionContext& code, Register picks, const model::Type& element);

}   // namespace cardwright::lower
