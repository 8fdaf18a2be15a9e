// Builds policies, which determine how bots and random players choose.
#pragma once

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

void build_policies(SemaContext& sema);

}   // namespace cardwright::sema
