// Checks that each declaration appears in a context that allows it.
#pragma once

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

void check_contexts(SemaContext& sema);

}   // namespace cardwright::sema
