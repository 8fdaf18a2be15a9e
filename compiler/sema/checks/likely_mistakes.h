// Warns about likely mistakes in statements and rules.
#pragma once

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

void warn_of_likely_mistakes(SemaContext& sema);

}   // namespace cardwright::sema
