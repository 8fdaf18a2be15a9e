// Tests the order in which the modifiers of a value apply.
#include "compiler/analysis/value_rules.h"

#include "tests/analysis/rules.h"

namespace cardwright::sema_tests {
namespace {

std::vector<std::int64_t> amounts(const std::vector<const model::Modifier*>& rules) {
  std::vector<std::int64_t> all;
  for (const model::Modifier* m : rules) all.push_back(m->amount->value);
  return all;
}

}   // namespace

TEST_CASE("value rules: the strongest `to` comes first, other modifiers keep their order within each kind",
          "[analysis]") {
  const Rules rules(
      "value strength(p: player): int = 1\n"
      "modify strength by 10\nmodify strength to 2\nmodify strength at most 30\nmodify strength to 3\n"
      "modify strength by 20\nmodify strength at least 5");
  const model::Value& value = rules.value("strength");
  const analysis::ValueRules all = analysis::rules_of(value);
  CHECK(amounts(all.to) == std::vector<std::int64_t>{3, 2});
  CHECK(amounts(all.by) == std::vector<std::int64_t>{10, 20});
  CHECK(amounts(all.at_least) == std::vector<std::int64_t>{5});
  CHECK(amounts(all.at_most) == std::vector<std::int64_t>{30});
  CHECK_FALSE(all.only_to());
  CHECK_FALSE(all.only_by());
  CHECK_FALSE(all.empty());
}

TEST_CASE("value rules: a filter selects the modifiers", "[analysis]") {
  const Rules rules("value strength(p: player): int = 1\nmodify strength by 10\nmodify strength to 2");
  const model::Value& value = rules.value("strength");
  const auto by = analysis::rules_of(value, [](const auto& m) { return m.how == model::ModifyHow::by; });
  CHECK(by.only_by());
  CHECK(amounts(by.by) == std::vector<std::int64_t>{10});
  CHECK(analysis::rules_of(value, [](const auto&) { return false; }).empty());
}

}   // namespace cardwright::sema_tests
