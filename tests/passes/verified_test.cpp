// What the compiler makes of all bundled games and small rulesets is accepted by the verifier, as lowered and in all forms. Debug
// builds also look after each pass (compiler/passes/check.h).
#include <catch2/catch.hpp>

#include <fmt/format.h>

#include "api/game_data.h"
#include "cardwright/tools.hpp"
#include "compiler/ir/verify.h"
#include "compiler/passes/passes.h"
#include "tests/system/places.h"

namespace cardwright {

namespace {

std::string refused(const std::string& rules) {
  const api::Game game = api::Ruleset::load(rules).compile({}, api::EngineKind::interpreter);
  const Program& program = game.data()->program();
  const ir::Bounds bounds{.words = program.layout.words};
  const auto in_words = [&](const char* form, const std::vector<std::string>& problems) {
    return problems.empty() ? std::string() : fmt::format("{}, {}: {}\n", rules, form, problems.front());
  };
  return in_words("as lowered", ir::verify(program.playout, bounds)) + in_words("playout", ir::verify(passes::as_playout(program, false), bounds)) +
         in_words("stepwise", ir::verify(program.step, bounds, true)) + in_words("played on", ir::verify(passes::as_finishing(program).code, bounds));
}

}  // namespace

TEST_CASE("the verifier accepts what becomes of all games", "[passes]") {
  std::vector<std::string> games = api::bundled_games();
  for (const std::string& path : test::rules_in(test::checkout("tests/system/rules"))) games.push_back(path);
  std::string all;
  for (const std::string& game : games) all += refused(game);
  CHECK(all == "");
}

}  // namespace cardwright
