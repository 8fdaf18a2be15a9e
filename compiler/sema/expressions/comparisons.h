// Checks comparisons: `==`, `<`, `in` and `is`.
// Input:  nodes.
// Output: Model expressions.
#pragma once

#include <vector>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

const Expr* is_kind(RuleContext& rule, const Expr* of, const std::vector<const Node*>& names, Range range);
const Expr* comparison(RuleContext& rule, const Node* node);
const Expr* equality(RuleContext& rule, const Node* node);
const Expr* membership(RuleContext& rule, const Node* node);
const Expr* is_expr(RuleContext& rule, const Node* node);

}   // namespace cardwright::sema
