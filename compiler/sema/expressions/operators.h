// Builds the operators `and`, `or`, `+` and so on, `if … then … else`, and list literals.
#pragma once

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

const Expr* if_expr(RuleContext& rule, const Node* node, const Type* expected);
const Expr* binary(RuleContext& rule, const Node* node, const Type* expected);
const Expr* list_literal(RuleContext& rule, const Node* node, const Type* expected);

}   // namespace cardwright::sema
