// Dispatches the node of each expression to the file that handles its kind.
#pragma once

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

// The function behind Builders::expression. Returns null or poison after an error.
const Expr* build_expression(RuleContext& rule, const Node* node, const Type* expected);

}   // namespace cardwright::sema
