// Emits tests of the deciding player's knowledge.
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

Register unknown_value(const FunctionContext& code, const model::Expr& e);
void need(const FunctionContext& code, Register known);
Register knows_all(const FunctionContext& code, Register cards);
void need_seen(const FunctionContext& code, Register cards, Fact fact);
void need_distinguishable(const FunctionContext& code, const model::Expr& a, Register x, const model::Expr& c,
                          Register y);
void need_value(const FunctionContext& code, const model::Expr& variable);
void need_whose(const FunctionContext& code, const model::RuleHead& head, Register me);
Register card_seen(const FunctionContext& code, const model::Expr& card);
// Evaluates a domain, and records the facts about its elements before `uses` are evaluated.
Register looked_through(const FunctionContext& code, const model::Expr& domain, model::LocalId local,
                        std::initializer_list<const model::Expr*> uses);
void look_in_order(const FunctionContext& code, const model::Expr& domain, Register cards, model::LocalId local);
// Returns the value of the expression if the player's knowledge determines it, otherwise the result of `otherwise`.
Register as_known(const FunctionContext& code, const model::Expr& e, const std::function<Register()>& otherwise);
// Returns the known cards of the zone from which an element is taken, or nullopt if the player cannot see into that
// zone.
std::optional<Register> known_where_taken(const FunctionContext& code, model::LocalId element, const model::Expr& who);
// Returns the cards of a zone that the player knows. The player must be able to see into the zone.
Register known_in(const FunctionContext& code, const model::Expr& zone, const model::Expr& who);

}   // namespace cardwright::lower
