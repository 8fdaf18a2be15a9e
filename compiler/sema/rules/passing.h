// Checks functions that have rules as parameters but are never called.
#pragma once

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

void check_uncalled(SemaContext& sema);

}   // namespace cardwright::sema
