// Decides whether one condition implies another, as far as their structure shows it.
#pragma once

#include "compiler/model/model.h"

namespace cardwright::sema {

// Returns true only if `weaker` holds in every state in which `stronger` holds. False may mean that this is unknown.
bool implies(const model::Expr& stronger, const model::Expr& weaker);

}   // namespace cardwright::sema
