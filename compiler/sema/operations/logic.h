// Builds `not`, `and` and `or`, and decides which expressions can be evaluated twice.
#pragma once

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

const Expr* negated(SemaContext& sema, const Expr* e);
const Expr* both(SemaContext& sema, const Expr* a, const Expr* b);
// Returns whether the expression has no effect, asks no player and draws no card. Only such an expression can be
// evaluated twice.
bool pure_expr(const Expr& e);
const Expr* either(SemaContext& sema, const Expr* a, const Expr* b, Range range);

}   // namespace cardwright::sema
