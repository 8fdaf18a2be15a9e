// Determines which dirty flags each write sets, so that a condition or memoized value is reevaluated only after a write
// to something that it reads. Also finds the fields that other rules read.
#pragma once

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

void make_watches(ProgramContext& unit);
void find_exposed(ProgramContext& unit);

}   // namespace cardwright::lower
