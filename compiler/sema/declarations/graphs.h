// Declares boards whose cells are points connected by lines.
#pragma once

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

void declare_graph(SemaContext& sema, const Decl& d);

}   // namespace cardwright::sema
