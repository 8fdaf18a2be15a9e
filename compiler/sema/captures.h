// Finds names that hide other names.
#pragma once

#include "compiler/sema/context.h"

namespace cardwright::sema {

// Reports declarations that would capture a name in existing rules (E0208).
void check_captures(SemaContext& sema);
// Warns about names inside rules that hide things which would fit in their place (W0029).
void warn_captures(SemaContext& sema);

}   // namespace cardwright::sema
