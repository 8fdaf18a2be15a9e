// Reports code that compiles but is probably a mistake.
#pragma once

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

void check_value_cycles(SemaContext& sema);
void warn(SemaContext& sema);

}   // namespace cardwright::sema
