// Builds the order of rules that replace events, and finds cycles of such rules.
#pragma once

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

// Builds the question of each `event E(…), p orders replacements`.
void order_replacements(SemaContext& sema);
void warn_circles(SemaContext& sema);

}   // namespace cardwright::sema
