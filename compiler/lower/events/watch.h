// Assigns the flags that writes set, so that a condition is reevaluated only after a write to something that it reads.
#pragma once

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

void make_watches(ProgramContext& unit);
void find_exposed(ProgramContext& unit);

}   // namespace cardwright::lower
