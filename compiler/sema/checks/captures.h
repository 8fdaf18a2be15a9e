// Finds names that hide or capture other names.
#pragma once

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

// Reports a declaration that changes the meaning of a name in existing rules (E0208).
void check_captures(SemaContext& sema);
// Warns about a name inside a rule that hides a declaration, if the declaration would also be valid where the name is
// used (W0029).
void warn_captures(SemaContext& sema);

}   // namespace cardwright::sema
