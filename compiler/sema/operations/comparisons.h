// Builds `a == b` for operands of any type, or reports that their types can't be compared.
#pragma once

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

const Expr* equals(RuleContext& rule, const Expr* a, const Expr* b, Range range);

}   // namespace cardwright::sema
