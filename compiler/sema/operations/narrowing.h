// Narrows types: records facts that conditions establish, for example that a value is not none, or that a card has a
// certain type.
#pragma once

#include <string>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

void narrow(RuleContext& rule, const Expr* condition, bool holds);
std::string key_of(const Expr* e);
bool is_narrowed(const RuleContext& rule, const Expr* e);
bool is_soft(const RuleContext& rule, const Expr* e);

// Replaces the type of a new expression with its narrowed type.
void refine(const RuleContext& rule, Expr* e);
// Returns the type of the elements for which the condition is true. filtered() returns the type of the set or list of
// these elements.
Type element_where(RuleContext& rule, LocalId element, const Expr* condition);
Type filtered(RuleContext& rule, const Type& domain, LocalId element, const Expr* condition);

// Call these after an assignment: they remove the facts about the variable and everything that depends on it.
void forget(RuleContext& rule, const Expr* target);
void forget_variable(RuleContext& rule, std::uint32_t variable);
// Call it after an event, a window or a question, in which other rules can change cards: removes the facts about card
// types of everything except local variables.
void forget_stored_cards(RuleContext& rule);
// Call it before a block that can run several times: removes the facts about everything that the block assigns.
void forget_assigned(RuleContext& rule, const Node* block);

}   // namespace cardwright::sema
