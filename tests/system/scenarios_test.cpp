// What the small rulesets say of themselves in scenarios holds on every engine, and what they call refuted does not.
#include <catch2/catch.hpp>

#include "cardwright/tools.hpp"
#include "tests/system/places.h"

using namespace cardwright;
using namespace cardwright::test;

TEST_CASE("scenarios: small rulesets", "[scenarios]") {
  std::vector<api::EngineKind> engines{api::EngineKind::interpreter};
  if (api::jit_is_available()) engines.push_back(api::EngineKind::jit);
  for (const std::string& path : rules_in(checkout("tests/system/rules"))) {
    const api::ScenarioRun run = api::run_scenarios(api::Ruleset::load(path), engines);
    INFO(path << "\n" << run.report.text);
    CHECK(run.report.errors == 0);
    for (const api::ScenarioResult& result : run.results) {
      INFO(result.title << " (" << result.engine << ") at " << result.place << "\nexpected " << result.expected << "\nbut " << result.found);
      CHECK(result.passed == (result.title.find("refuted") == std::string::npos));
    }
  }
}
