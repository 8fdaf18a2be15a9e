// Handles cards that the deciding player does not know: which of them may be among the offered ones, given the player's
// knowledge.
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>

#include "compiler/lower/function_context.h"

namespace cardwright::lower {

// The options of a choice: cards that fit, and unknown cards that may fit.
struct Offered {
  Register fitting, unknown = ir::kNoRegister;
};

// Separates these cards into those the deciding player knows and the others.
Offered told_apart(const FunctionContext& code, const model::Expr& cards);
Offered told_apart(const FunctionContext& code, Register cards);
Offered offered_domain_where(const FunctionContext& code, const model::Expr& cards, model::LocalId element,
                             std::initializer_list<const model::Expr*> conditions);
Offered elements_offered(const FunctionContext& code, const model::ActionParameter& p, model::LocalId element);
// The cards of a visible zone that the player knows.
Register known_in(const FunctionContext& code, const model::Expr& zone, const model::Expr& who);
// The known cards of the zone from which an element is taken, if the player can see into that zone.
std::optional<Register> known_where_taken(const FunctionContext& code, model::LocalId element, const model::Expr& who);
// The hidden bits of the zones that contain cards of a set, and the cards of a set in the zone with such a bit.
Register zones_of_unknown(const FunctionContext& code, Register cards);
Register unknown_in(const FunctionContext& code, Register cards, Register bit);
Register unknown_that_fit(const FunctionContext& code, Register unknown, model::LocalId element, bool each,
                          const std::function<void(Register one, BlockIndex no)>& test);
bool tells_unknown_apart(const ProgramContext& unit, const model::Expr& condition, model::LocalId element);

}   // namespace cardwright::lower
