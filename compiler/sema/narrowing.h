// Tracks the facts that tests have shown: a value is not none, or a card has a certain type.
#pragma once

#include <string>

#include "compiler/sema/context.h"

namespace cardwright::sema {

void narrow(RuleContext& rule, const Expr* condition, bool holds);
std::string key_of(const Expr* e);
bool is_narrowed(const RuleContext& rule, const Expr* e);
bool is_soft(const RuleContext& rule, const Expr* e);

// Gives an expression that was just made the type that tests have shown it to have.
void refine(const RuleContext& rule, Expr* e);
// The type of such elements for which a condition holds, and that of a set or list of them.
Type element_where(RuleContext& rule, LocalId element, const Expr* condition);
Type filtered(RuleContext& rule, const Type& domain, LocalId element, const Expr* condition);

// After a store: removes the facts about the variable and about everything that depends on it.
void forget(RuleContext& rule, const Expr* target);
void forget_variable(RuleContext& rule, std::uint32_t variable);
// After an event, a window or a question, in which other rules may store other cards: removes the facts about the types
// of cards in everything but local variables.
void forget_stored_cards(RuleContext& rule);
// For a block that runs several times: removes the facts about everything that it assigns.
void forget_assigned(RuleContext& rule, const Node* block);

}   // namespace cardwright::sema
