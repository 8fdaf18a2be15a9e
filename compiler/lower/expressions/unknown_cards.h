// Determines which unknown cards are offered: cards that the deciding player does not know, but that may satisfy the
// conditions of the choice.
#pragma once

#include <functional>
#include <initializer_list>

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

// The options of a choice: the elements that satisfy its conditions, and the unknown cards that may satisfy them.
struct Offered {
  Register fitting, unknown = ir::kNoRegister;
};

// Splits the cards into those that the deciding player knows (`fitting`) and those that the player does not know.
Offered distinguishable_cards(const FunctionContext& code, const model::Expr& cards);
Offered distinguishable_cards(const FunctionContext& code, Register cards);
Offered offered_domain_where(const FunctionContext& code, const model::Expr& cards, model::LocalId element,
                             std::initializer_list<const model::Expr*> conditions);
Offered elements_offered(const FunctionContext& code, const model::ActionParameter& p, model::LocalId element);
// zones_of_unknown() returns the hidden bits of the zones that contain the cards. unknown_in() returns the cards that
// are in the zone with the given hidden bit.
Register zones_of_unknown(const FunctionContext& code, Register cards);
Register unknown_in(const FunctionContext& code, Register cards, Register bit);
Register unknown_that_fit(const FunctionContext& code, Register unknown, model::LocalId element, bool each,
                          const std::function<void(Register one, BlockIndex no)>& test);
bool distinguishes_unknown(const ProgramContext& unit, const model::Expr& condition, model::LocalId element);
Offered offered_of(const FunctionContext& code, Offered domain, bool cards, model::LocalId element,
                   const model::Expr* where);

}   // namespace cardwright::lower
