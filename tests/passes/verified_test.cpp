// Tests that the verifier accepts the IR of all bundled games and small rulesets: after lowering, after each pass, and
// in all forms. Debug builds verify everything that they compile (runtime/passes/pass.h).
#include <catch2/catch.hpp>

#include "cardwright/tools.hpp"
#include "tests/support/files.h"
#include "tests/support/parallel_jobs.h"
#include "tests/support/verify_compiler.h"

namespace cardwright::test {

TEST_CASE("the verifier accepts the IR of all games", "[passes]") {
  std::vector<std::string> games = api::bundled_games();
  for (const std::string& path : rules_in(checkout("tests/rulesets/small"))) games.push_back(path);
  CHECK(run_jobs(games.size(), [&](int, std::size_t i) {
          const std::string refused = refused_by_verifier(api::Ruleset::load(games[i]));
          return refused.empty() ? refused : games[i] + "\n" + refused;
        }) == "");
}

TEST_CASE("a module broken by a pass is reported in every build", "[passes]") {
  const passes::Verified verified;
  ir::Module module;
  module.functions.emplace_back().name = "main";
  module.functions[0].blocks.emplace_back();   // no terminator
  passes::made("a pass", module, {});
  CHECK(verified.modules() == 1);
  REQUIRE(verified.problems().size() == 1);
  CHECK(verified.problems()[0] == "after a pass: f0 \"main\", b0: is empty");
}

}   // namespace cardwright::test
