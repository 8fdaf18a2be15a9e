// Names that hide other names.
#pragma once

#include "compiler/sema/context.h"

namespace cardwright::sema {

// Declarations that would take over the rules that say a name (E0208).
void check_captures(SemaContext& sema);
// Names inside of rules that hide what would fit in their place (W0029).
void warn_captures(SemaContext& sema);

}  // namespace cardwright::sema
