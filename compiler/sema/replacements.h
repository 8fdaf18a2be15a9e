// Rules that replace events: resolves the player who orders them, and finds circles of replacements.
#pragma once

#include "compiler/sema/context.h"

namespace cardwright::sema {

// `event E(…), p orders replacements`
void order_replacements(SemaContext& sema);
void warn_circles(SemaContext& sema);

}   // namespace cardwright::sema
