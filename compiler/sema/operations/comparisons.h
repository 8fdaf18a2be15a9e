// Builds comparisons of two expressions.
#pragma once

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

const Expr* equals(RuleContext& rule, const Expr* a, const Expr* b, Range range);

}   // namespace cardwright::sema
