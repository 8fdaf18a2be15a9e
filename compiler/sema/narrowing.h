// What tests have shown: that a value is not none, or that a card is of a certain type.
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

// Something is stored: what was known of it, and of all that depends on it, no longer holds.
void forget(RuleContext& rule, const Expr* target);
void forget_variable(RuleContext& rule, std::uint32_t variable);
// An event, a window or a question: other rules run, and may store other cards into whatever is no local variable. What
// tests have shown of the type of those cards no longer holds.
void forget_stored_cards(RuleContext& rule);
// A block that runs several times: what it assigns is not known when it begins again.
void forget_assigned(RuleContext& rule, const Node* block);

}  // namespace cardwright::sema
