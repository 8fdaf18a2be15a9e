// Tests the scenarios of the small rulesets on every engine: they pass, and those marked as refuted fail.
#include <catch2/catch.hpp>

#include <sstream>

#include "cardwright/tools.hpp"
#include "tests/support/files.h"

using namespace cardwright;
using namespace cardwright::test;

TEST_CASE("scenarios: small rulesets", "[scenarios]") {
  std::vector<api::EngineKind> engines{api::EngineKind::interpreter};
  if (api::jit_is_available()) engines.push_back(api::EngineKind::jit);
  for (const std::string& path : rules_in(checkout("tests/rulesets/small"))) {
    const api::ScenarioRun run = api::run_scenarios(api::Ruleset::load(path), engines);
    INFO(path << "\n" << run.report.text);
    CHECK(run.report.errors == 0);
    for (const api::ScenarioResult& result : run.results) {
      INFO(result.title << " (" << result.engine << ") at " << result.place << "\nexpected " << result.expected
                        << "\nbut " << result.found);
      CHECK(result.passed == (result.title.find("refuted") == std::string::npos));
    }
  }
}

// Counts lines like the game's README: all lines before the scenarios, except blank lines and comments.
TEST_CASE("scenarios: the rules of Splatter SHOOT are at most 800 lines", "[scenarios][shoot]") {
  std::istringstream rules(text_of(checkout("rulesets/splatter_shoot/splatter_shoot.rules")));
  int counted = 0;
  std::string line;
  while (std::getline(rules, line) && !line.ends_with("- scenarios")) {
    const auto first = line.find_first_not_of(' ');
    counted += first != std::string::npos && line.compare(first, 2, "//") != 0;
  }
  REQUIRE(rules);   // the line above the scenarios was found
  CHECK(counted <= 800);
  CHECK(counted > 600);
}
