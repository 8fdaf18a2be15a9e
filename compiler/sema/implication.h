// Decides if one condition holds whenever another does, as far as their form shows it.
#pragma once

#include "compiler/model/model.h"

namespace cardwright::sema {

// True only if `weaker` surely holds in every state in which `stronger` does. False may mean that this is not known.
bool implies(const model::Expr& stronger, const model::Expr& weaker);

}   // namespace cardwright::sema
