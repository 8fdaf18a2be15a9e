// Narrows types: tracks facts that conditions establish, for example that a value is not none or that a card has a
// certain type.
#pragma once

#include <string>

#include "compiler/sema/context.h"

namespace cardwright::sema {

void narrow(RuleContext& rule, const Expr* condition, bool holds);
std::string key_of(const Expr* e);
bool is_narrowed(const RuleContext& rule, const Expr* e);
bool is_soft(const RuleContext& rule, const Expr* e);

// Sets the type of a new expression to its narrowed type.
void refine(const RuleContext& rule, Expr* e);
// Returns the type of the elements for which the condition holds, and with it the type of a set or list of them.
Type element_where(RuleContext& rule, LocalId element, const Expr* condition);
Type filtered(RuleContext& rule, const Type& domain, LocalId element, const Expr* condition);

// After an assignment: removes the facts about the variable and about everything that depends on it.
void forget(RuleContext& rule, const Expr* target);
void forget_variable(RuleContext& rule, std::uint32_t variable);
// After an event, a window or a question, in which other rules may change cards: removes the facts about card types in
// everything except local variables.
void forget_stored_cards(RuleContext& rule);
// Before a block that runs several times: removes the facts about everything that it assigns.
void forget_assigned(RuleContext& rule, const Node* block);

}   // namespace cardwright::sema
