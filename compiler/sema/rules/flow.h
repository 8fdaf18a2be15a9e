// Builds the flow blocks of the Model from `setup` and `play`, and its endings from `end when`.
#pragma once

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

void build_flow(SemaContext& sema);
void build_endings(SemaContext& sema);

}   // namespace cardwright::sema
