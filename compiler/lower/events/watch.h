// Assigns the flags that writes set, so that conditions are reevaluated only after a write to something they read.
#pragma once

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

void make_watches(ProgramContext& unit);
void find_exposed(ProgramContext& unit);

}   // namespace cardwright::lower
