// The rules that change a value, in the order in which they are applied.
#pragma once

#include <functional>
#include <vector>

#include "compiler/model/model.h"

namespace cardwright::analysis {

// The first of `to` that holds stands for what the value would be; all of `by` are added to that; then `at_least` and
// `at_most` bound it, and last the bounds that the value declares.
struct ValueRules {
  std::vector<const model::Modifier*> to;   // strongest first
  std::vector<const model::Modifier*> by, at_least, at_most;   // as they are written

  bool only_to() const { return by.empty() && at_least.empty() && at_most.empty(); }
  bool only_by() const { return to.empty() && at_least.empty() && at_most.empty(); }
  bool empty() const { return to.empty() && only_to(); }
};

// Null `counts`: all of them.
ValueRules rules_of(const model::Value& value, const std::function<bool(const model::Modifier&)>& counts = {});

// Its number has a declared range, which is checked behind all that: the base alone may lie outside.
bool is_checked_last(const model::Value& value);

}   // namespace cardwright::analysis
