// Scenes and scenarios: everything in them resolved to seats, cards, actions and conditions.
#pragma once

#include "compiler/sema/context.h"

namespace cardwright::sema {

void build_scenarios(SemaContext& sema);

}  // namespace cardwright::sema
