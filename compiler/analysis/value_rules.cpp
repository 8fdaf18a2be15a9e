// Groups the modifiers of a value by their operation, and sorts each group by strength.
// Tests: tests/analysis/value_rules_test.cpp
#include "compiler/analysis/value_rules.h"

#include <algorithm>

namespace cardwright::analysis {

ValueRules rules_of(const model::Value& value, const std::function<bool(const model::Modifier&)>& counts) {
  ValueRules rules;
  for (const model::Modifier& m : value.modifiers) {
    if (counts && !counts(m)) continue;
    switch (m.how) {
      case model::ModifyHow::to: rules.to.push_back(&m); break;
      case model::ModifyHow::by: rules.by.push_back(&m); break;
      case model::ModifyHow::at_least: rules.at_least.push_back(&m); break;
      case model::ModifyHow::at_most: rules.at_most.push_back(&m); break;
    }
  }
  std::sort(rules.to.begin(), rules.to.end(),
            [](const auto* a, const auto* b) { return a->head.precedence > b->head.precedence; });
  return rules;
}

bool is_checked_last(const model::Value& value) {
  const model::Type& type = value.result;
  const bool has_range = type.kind == model::TypeKind::integer && type.ref != model::kDurationRef &&
                         (type.lo > -model::kUnlimited || type.hi < model::kUnlimited);
  return has_range && (!value.base || !value.modifiers.empty() || value.at_least || value.at_most);
}

}   // namespace cardwright::analysis
