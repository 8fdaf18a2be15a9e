// Resolves the deciding player of a statement and the player with whom a loop starts.
#pragma once

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

const Expr* decider(RuleContext& rule, const Node* node, Range range);
const Expr* start_of(RuleContext& rule, const Node* domain, Range range);

}   // namespace cardwright::sema
