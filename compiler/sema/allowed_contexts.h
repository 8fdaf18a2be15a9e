// Where a declaration may stand.
#pragma once

#include "compiler/sema/context.h"

namespace cardwright::sema {

void check_places(SemaContext& sema);

}   // namespace cardwright::sema
