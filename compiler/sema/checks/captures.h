// Finds names that hide other names.
#pragma once

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

// Reports a declaration with a name that existing rules use for something else (E0208).
void check_captures(SemaContext& sema);
// Warns about a name inside a rule that hides a declaration which would also fit where the name is used (W0029).
void warn_captures(SemaContext& sema);

}   // namespace cardwright::sema
