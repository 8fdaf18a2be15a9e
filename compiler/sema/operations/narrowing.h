// Narrows types: records facts that conditions establish, for example that a value is not none, or that a card has a
// certain type.
#pragma once

#include <string>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

void narrow(RuleContext& rule, const Expr* condition, bool holds);

// Returns the type of the elements for which the condition is true. filtered() returns the type of the set or list that
// contains these elements.
Type element_where(RuleContext& rule, LocalId element, const Expr* condition);
Type filtered(RuleContext& rule, const Type& domain, LocalId element, const Expr* condition);

// Removes the facts about a variable and everything that depends on it. Must be called after each assignment.
void forget(RuleContext& rule, const Expr* target);
void forget_variable(RuleContext& rule, std::uint32_t variable);
// Removes the facts about the types of cards in variables of the State, of events and of windows. Must be called after
// an event, a window or a question, because rules that run in the meantime can change these variables.
void forget_stored_cards(RuleContext& rule);
// Removes the facts about everything that a block assigns. Must be called before a block that can run several times.
void forget_assigned(RuleContext& rule, const Node* block);

}   // namespace cardwright::sema
