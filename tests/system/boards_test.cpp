// Games on boards: random games are as long as those of other engines, and every engine and form plays them alike.
#include <catch2/catch.hpp>

#include <cmath>

#include <nlohmann/json.hpp>

#include "cardwright/tools.hpp"
#include "tests/system/differential.h"
#include "tests/system/places.h"

using namespace cardwright;
using namespace cardwright::test;

namespace {

// How many decisions OpenSpiel's game of that name takes if all play at random.
struct Known {
  const char* name;
  double decisions;
};
constexpr Known kGames[] = {{"tic_tac_toe", 7.63}, {"connect_four", 21.3}, {"breakthrough", 64.0}};

}  // namespace

TEST_CASE("boards: random games are as long as in other engines", "[boards]") {
  for (const Known& known : kGames) {
    api::SimulateSettings settings;
    settings.games = 20'000;
    settings.seed = 11;
    const auto result = api::simulate(api::Ruleset::load(known.name).compile(), settings);
    const double mean = static_cast<double>(result.decisions) / static_cast<double>(settings.games);
    INFO(known.name << ": " << mean);
    CHECK(std::abs(mean - known.decisions) < 0.01 * known.decisions);
  }
}

TEST_CASE("boards: both engines and forms play alike", "[boards][differential]") {
  const bool jit = api::jit_is_available();
  for (const Known& known : kGames) {
    const api::Ruleset rules = api::Ruleset::load(known.name);
    const api::Game interp = rules.compile({}, api::EngineKind::interpreter);
    const api::Game other = rules.compile({}, jit ? api::EngineKind::jit : api::EngineKind::interpreter);
    for (std::uint64_t game = 0; game < 200; ++game) {
      INFO(known.name);
      CHECK(compare_engines(*interp.data(), *other.data(), 40, game) == "");
      CHECK(compare_forms(*other.data(), 40, game) == "");
    }
  }
}

TEST_CASE("boards: everybody sees what lies on them", "[boards]") {
  const api::Game game = api::Ruleset::load("breakthrough").compile();
  api::State state = game.new_state(5);
  state.apply(0);
  const auto seen = [&](int player) { return nlohmann::json::parse(state.view(player))["variables"]; };
  CHECK(seen(0) == seen(1));
  CHECK(seen(0) == seen(-1));
  for (const auto& variable : seen(1))
    if (variable["name"] == "men" && variable["owner"] == "b") CHECK(variable["value"] == nlohmann::json::array({
        "a7", "b7", "c7", "d7", "e7", "f7", "g7", "h7", "a8", "b8", "c8", "d8", "e8", "f8", "g8", "h8"}));
}
