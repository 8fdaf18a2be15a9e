// Resolves `x.name` and `x[i]`: members of players, cards, constants, windows and events, and entries of tables.
#pragma once

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

const Expr* member(RuleContext& rule, const Node* node, const Type* expected);
const Expr* index(RuleContext& rule, const Node* node);

}   // namespace cardwright::sema
