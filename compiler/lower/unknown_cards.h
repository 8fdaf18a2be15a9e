// Cards that who is asked does not know: what could be among those that are offered, for all that they know.
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>

#include "compiler/lower/function_context.h"

namespace cardwright::lower {

// What a choice offers: what fits, and those unknown that could.
struct Offered {
  Register fitting, unknown = ir::kNoRegister;
};

// What the asked player knows of these cards, and the others.
Offered told_apart(const FunctionContext& code, const model::Expr& cards);
Offered told_apart(const FunctionContext& code, Register cards);
Offered offered_domain_where(const FunctionContext& code, const model::Expr& cards, model::LocalId element,
                             std::initializer_list<const model::Expr*> conditions);
Offered elements_offered(const FunctionContext& code, const model::ActionParameter& p, model::LocalId element);
// What a player knows of a zone into which they see.
Register known_in(const FunctionContext& code, const model::Expr& zone, const model::Expr& who);
// Of the cards in the zone out of which an element is taken those that they know, if they see into it.
std::optional<Register> known_where_taken(const FunctionContext& code, model::LocalId element, const model::Expr& who);
// The zones, by hidden bit, in which cards of a set lie; and one set's cards in the zone of such a bit.
Register zones_of_unknown(const FunctionContext& code, Register cards);
Register unknown_in(const FunctionContext& code, Register cards, Register bit);
Register unknown_that_fit(const FunctionContext& code, Register unknown, model::LocalId element, bool each,
                          const std::function<void(Register one, BlockIndex no)>& test);
bool tells_unknown_apart(const ProgramContext& unit, const model::Expr& condition, model::LocalId element);

}   // namespace cardwright::lower
