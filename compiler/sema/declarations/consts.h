// Checks the values of consts.
#pragma once

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

void check_consts(SemaContext& sema);
// Evaluates every const, so that an error in a const is reported even if nothing reads it.
void evaluate_consts(SemaContext& sema);

}   // namespace cardwright::sema
