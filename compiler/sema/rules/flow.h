// Builds the game flow and the endings.
#pragma once

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

void build_flow(SemaContext& sema);
void build_endings(SemaContext& sema);

}   // namespace cardwright::sema
