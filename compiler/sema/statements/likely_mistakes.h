// Warns about unreachable statements, and about statements whose blocks are empty.
#pragma once

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

void check_for_mistakes(SemaContext& sema, const Node* node, const Node* left_by);

}   // namespace cardwright::sema
