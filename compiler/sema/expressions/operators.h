// Builds the operators `and`, `or`, `+` and so on, `if … then … else`, and list literals.
#pragma once

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

const Expr* negated(SemaContext& sema, const Expr* e);
const Expr* both(SemaContext& sema, const Expr* a, const Expr* b);
const Expr* list_with(RuleContext& rule, const Expr* list, const Expr* element, Range range);
// Returns whether the expression has no effect, asks no player and draws no card. Such an expression can be evaluated
// twice.
bool pure_expr(const Expr& e);
const Expr* either(SemaContext& sema, const Expr* a, const Expr* b, Range range);
const Expr* if_expr(RuleContext& rule, const Node* node, const Type* expected);
const Expr* binary(RuleContext& rule, const Node* node, const Type* expected);
const Expr* list_literal(RuleContext& rule, const Node* node, const Type* expected);

}   // namespace cardwright::sema
