// Declares records, which group several fields under one name.
#pragma once

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

void declare_records(SemaContext& sema);

}   // namespace cardwright::sema
