// The scenarios of the bundled games hold on every engine.
#include <catch2/catch.hpp>

#include "cardwright/tools.hpp"

using namespace cardwright::api;

TEST_CASE("scenarios: those of the bundled games hold", "[scenarios]") {
  std::vector<EngineKind> engines{EngineKind::interpreter};
  if (jit_is_available()) engines.push_back(EngineKind::jit);
  for (const std::string& name : bundled_games()) {
    const ScenarioRun run = run_scenarios(Ruleset::load(name), engines);
    INFO(run.report.text);
    CHECK(run.report.errors == 0);
    for (const ScenarioResult& result : run.results) {
      INFO(name << ": " << result.title << " (" << result.engine << ") at " << result.place << "\nexpected "
                << result.expected << "\nbut " << result.found);
      CHECK(result.passed);
    }
  }
}

TEST_CASE("scenarios: each fails where its rule is broken", "[scenarios][mutants]") {
  for (const std::string& name : bundled_games())
    for (const ScenarioResult& result : run_mutants(Ruleset::load(name))) {
      INFO(name << ": " << result.title << " with " << result.place << "\n" << result.found);
      CHECK(result.passed);
    }
}
