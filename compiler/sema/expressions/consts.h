// Evaluates consts whose values depend on cards, or that are sets or lists.
#pragma once

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

// Returns the value of the const that `node` names: `only of (French where rank == two and suit == clubs)`. Each const
// is evaluated once.
const Expr* computed_const(SemaContext& sema, const Node* node);

}   // namespace cardwright::sema
