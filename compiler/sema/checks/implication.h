// Decides from the structure of two conditions whether one implies the other.
#pragma once

#include "compiler/model/model.h"

namespace cardwright::sema {

// Returns true only if `weaker` is true in every state in which `stronger` is true. The result false can also mean that
// this is unknown.
bool implies(const model::Expr& stronger, const model::Expr& weaker);

}   // namespace cardwright::sema
