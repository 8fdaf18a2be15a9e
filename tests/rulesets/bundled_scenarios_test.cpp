// Tests that the scenarios of the bundled games pass on every engine. The longest game has separate test cases so that
// several processors share the work.
#include <catch2/catch.hpp>

#include "cardwright/tools.hpp"

using namespace cardwright::api;

namespace {

const std::string kLongest = "splatter_shoot";

std::vector<EngineKind> all_engines() {
  std::vector<EngineKind> engines{EngineKind::interpreter};
  if (jit_is_available()) engines.push_back(EngineKind::jit);
  return engines;
}

void hold(const std::string& name, const std::vector<EngineKind>& engines) {
  const ScenarioRun run = run_scenarios(Ruleset::load(name), engines);
  INFO(run.report.text);
  CHECK(run.report.errors == 0);
  CHECK_FALSE(run.results.empty());
  for (const ScenarioResult& result : run.results) {
    INFO(name << ": " << result.title << " (" << result.engine << ") at " << result.place << "\nexpected "
              << result.expected << "\nbut " << result.found);
    CHECK(result.passed);
  }
}

}   // namespace

TEST_CASE("scenarios: the scenarios of the bundled games pass", "[scenarios]") {
  for (const std::string& name : bundled_games())
    if (name != kLongest) hold(name, all_engines());
}

TEST_CASE("scenarios: the scenarios of the longest game pass in the interpreter", "[scenarios]") {
  hold(kLongest, {EngineKind::interpreter});
}

TEST_CASE("scenarios: the scenarios of the longest game pass when compiled, if a JIT is available", "[scenarios]") {
  hold(kLongest, {all_engines().back()});
}

TEST_CASE("scenarios: each scenario fails if its rule is broken", "[scenarios][mutants]") {
  for (const std::string& name : bundled_games())
    for (const ScenarioResult& result : run_mutants(Ruleset::load(name))) {
      INFO(name << ": " << result.title << " with " << result.place << "\n" << result.found);
      CHECK(result.passed);
    }
}
