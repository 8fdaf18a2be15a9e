// Builds local variables that are records.
#pragma once

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

const Expr* let_record(RuleContext& rule, const Node* node, const Type& t, const Expr* initial, bool variable,
                       Block& out);

}   // namespace cardwright::sema
