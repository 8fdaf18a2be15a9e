// Builds sets and lists: `where`, `with most`, `any … has`, `sum of`, ranges, and the contents of zones.
#pragma once

#include <optional>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

const Expr* where_expr(RuleContext& rule, const Node* node, const Type* expected);
const Expr* best_expr(RuleContext& rule, const Node* node);
const Expr* quantifier(RuleContext& rule, const Node* node);
const Expr* quantifier_is(RuleContext& rule, const Node* node);
const Expr* aggregate(RuleContext& rule, const Node* node);
const Expr* subsets(RuleContext& rule, const Node* node);
const Expr* pick(RuleContext& rule, const Node* node);
const Expr* top_expr(RuleContext& rule, const Node* node);
const Expr* random_cards(RuleContext& rule, const Node* node);
const Expr* all_but(RuleContext& rule, const Node* node);
std::optional<Where> zone_place(RuleContext& rule, const Node* node, bool report = false);
const Expr* number_range(RuleContext& rule, const Node* node);
// Builds the set in `in S after a`: the elements of S that follow `a`.
const Expr* later_than(RuleContext& rule, const Node* after, const Expr* set);
const Expr* listed_after(RuleContext& rule, const Node* after, LocalId element, Range range);

}   // namespace cardwright::sema
