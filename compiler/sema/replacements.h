// Rules that replace events: who chooses their order, and whether they replace each other in a circle.
#pragma once

#include "compiler/sema/context.h"

namespace cardwright::sema {

// `event E(…), p orders replacements`
void order_replacements(SemaContext& sema);
void warn_circles(SemaContext& sema);

}  // namespace cardwright::sema
