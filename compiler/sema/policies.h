// Policies: how players play where no person does.
#pragma once

#include "compiler/sema/context.h"

namespace cardwright::sema {

void build_policies(SemaContext& sema);

}   // namespace cardwright::sema
