// Builds the events that ask a player for the order of replacements, and finds cycles of rules that replace events.
#pragma once

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

// Builds the asking event for each `event E(…), p orders replacements`.
void order_replacements(SemaContext& sema);
void warn_cycles(SemaContext& sema);
// Collects the calls of events that a block always makes.
void sure_calls(const Block& block, std::vector<const Expr*>& out);

}   // namespace cardwright::sema
