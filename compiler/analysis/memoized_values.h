// Checks the dependencies of a `kept` (memoized) value.
#pragma once

#include "compiler/model/model.h"

namespace cardwright::analysis {

// Returns an expression that the value depends on, directly or indirectly, and whose changes are not tracked; or null.
// A value with such a dependency can't be memoized.
const model::Expr* unwatched(const model::Model& model, const model::Value& value);

}   // namespace cardwright::analysis
