// Finds uses of a local in an expression or block.
#pragma once

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

bool mentions(const Expr* e, LocalId local);
bool mentions(const Block& block, LocalId id);

}   // namespace cardwright::sema
