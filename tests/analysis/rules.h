// Builds a Model from a minimal game plus the rules of a test, and finds its elements by name.
#pragma once

#include "tests/support/analyze.h"

namespace cardwright::sema_tests {

class Rules {
 public:
  explicit Rules(const std::string& rules) : outcome_(run({{"game.rules", game(rules)}})) {
    INFO(outcome_->messages());
    REQUIRE(outcome_->model);
  }
  const model::Model& model() const { return *outcome_->model; }
  const model::Value& value(const std::string& name) const { return model().values[index(model().values, name)]; }
  std::uint32_t zone(const std::string& name) const { return index(model().zones, name); }
  std::uint32_t variable(const std::string& name) const { return index(model().variables, name); }
  std::uint32_t action(const std::string& name) const { return index(model().actions, name); }
  const model::Event& event(const std::string& name) const { return model().events[index(model().events, name)]; }

 private:
  template <class Things>
  static std::uint32_t index(const Things& things, const std::string& name) {
    for (std::uint32_t i = 0; i < things.size(); ++i)
      if (things[i].name == name) return i;
    FAIL("nothing is called " << name);
    return 0;
  }
  const std::unique_ptr<Outcome> outcome_;
};

}   // namespace cardwright::sema_tests
