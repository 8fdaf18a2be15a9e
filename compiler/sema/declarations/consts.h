// Checks the values of consts.
#pragma once

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

void check_consts(SemaContext& sema);

}   // namespace cardwright::sema
