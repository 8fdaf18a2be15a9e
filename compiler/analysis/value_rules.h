// Lists the modifiers of a value in the order in which they apply.
#pragma once

#include <functional>
#include <vector>

#include "compiler/model/model.h"

namespace cardwright::analysis {

// The first modifier in `to` whose condition is true replaces the base. Then the amounts of all modifiers in `by` are
// added. Then `at_least` and `at_most` limit the result, and finally the declared bounds of the value limit it.
struct ValueRules {
  std::vector<const model::Modifier*> to;   // strongest first
  std::vector<const model::Modifier*> by, at_least, at_most;   // in source order

  bool only_to() const { return by.empty() && at_least.empty() && at_most.empty(); }
  bool only_by() const { return to.empty() && at_least.empty() && at_most.empty(); }
  bool empty() const { return to.empty() && only_to(); }
};

// Returns the modifiers of the value for which `counts` returns true, or all modifiers if `counts` is empty.
ValueRules rules_of(const model::Value& value, const std::function<bool(const model::Modifier&)>& counts = {});

// Returns whether the value has a declared range, which is checked only after all modifiers have been applied. The base
// alone may be outside the range.
bool is_checked_last(const model::Value& value);

}   // namespace cardwright::analysis
