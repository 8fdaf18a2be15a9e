// Tests records as people and tools see them, and scenarios with assertions about records and the log.
// (differential_test.cpp tests with records.rules that the engines agree.)
#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include "cardwright/tools.hpp"
#include "tests/support/files.h"

using namespace cardwright;
using namespace cardwright::test;
using nlohmann::json;

TEST_CASE("records: scenario claims about records and the log", "[records]") {
  std::vector<api::EngineKind> engines{api::EngineKind::interpreter};
  if (api::jit_is_available()) engines.push_back(api::EngineKind::jit);
  const api::ScenarioRun run =
      api::run_scenarios(api::Ruleset::load(checkout("tests/rulesets/small/records.rules")), engines);
  INFO(run.report.text);
  CHECK(run.report.errors == 0);
  CHECK(run.results.size() == 3);
  for (const api::ScenarioResult& result : run.results) {
    INFO(result.title << " (" << result.engine << ") at " << result.place << "\nexpected " << result.expected
                      << "\nbut " << result.found);
    CHECK(result.passed == (result.title.find("refuted") == std::string::npos));
    if (!result.passed) CHECK(result.found.find("the log ends \"") == 0);
  }
}

TEST_CASE("records: each field is visible, saved and restored separately", "[records]") {
  const api::Game game = api::Ruleset::load(checkout("tests/rulesets/small/records.rules")).compile();
  api::State state = game.new_state(1);
  for (int step = 0; step < 30 && !state.is_over(); ++step)
    state.apply(static_cast<int>((static_cast<std::size_t>(step) * 7) % state.legal().size()));
  const auto value = [&](int player, const std::string& name, const std::string& owner) {
    const json view = json::parse(state.view(player));
    for (const json& v : view["variables"])
      if (v["name"] == name && v["owner"] == owner) return v["value"];
    return json();
  };
  CHECK(value(1, "purse.gold", "a").is_number());
  CHECK(value(1, "purse.gold", "a") == value(0, "purse.gold", "a"));
  const api::State again = game.restore(state.save());
  CHECK(again.whole_hash() == state.whole_hash());
  CHECK(again.view(0) == state.view(0));
}
