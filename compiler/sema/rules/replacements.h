// Builds the questions about the order of rules that replace events, and finds cycles of such rules.
#pragma once

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

// Builds the question of each `event E(…), p orders replacements`.
void order_replacements(SemaContext& sema);
void warn_circles(SemaContext& sema);
// Collects the calls of events that a block always makes.
void sure_calls(const Block& block, std::vector<const Expr*>& out);

}   // namespace cardwright::sema
