// Tests games whose ids, sets and boards exceed one byte, one word and one screen.
#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include <fmt/format.h>

#include "cardwright/cardwright.hpp"
#include "cardwright/tools.hpp"
#include "tests/support/checkout.h"
#include "tests/support/command.h"

using namespace cardwright;
using namespace cardwright::test;

namespace {

// Returns the table as a player sees it, in lines, after `decisions` decisions with the first option.
std::string seen_after(const std::string& rules, int decisions, int player) {
  const api::Game game = api::Ruleset::load(checkout("tests/rulesets/large/" + rules)).compile({2, {}});
  api::State state = game.new_state(1, 0);
  for (int i = 0; i < decisions && !state.is_over(); ++i) state.apply(state.legal().front());
  std::string out;
  for (const std::string& line : state.table_in_words(player)) out += line + "\n";
  return out;
}

}   // namespace

TEST_CASE("limits: only the used part of a large board is drawn") {
  const std::string seen = seen_after("tiles.rules", 0, 0);
  INFO(seen);
  CHECK(seen.find(" of 144 x 144") != std::string::npos);
  CHECK(std::count(seen.begin(), seen.end(), '\n') < 40);
}

// The rulesets are in a separate folder, because they would slow down the tests of all small rulesets.
TEST_CASE("limits: large games are the same on both engines, and their scenarios pass") {
  for (const char* name : {"supply", "armies", "tiles", "cities"}) {
    const std::string path = checkout(std::string("tests/rulesets/large/") + name + ".rules");
    INFO(path);
    const api::Ruleset rules = api::Ruleset::load(path);
    const auto digest = [&](api::EngineKind engine) {
      api::SimulateSettings settings;
      settings.games = 3;
      const api::Statistics played = api::simulate(rules.compile({2, {}}, engine), settings);
      CHECK(played.failed == 0);
      return played.digest;
    };
    const std::uint64_t interpreted = digest(api::EngineKind::interpreter);
    if (api::jit_is_available()) CHECK(digest(api::EngineKind::jit) == interpreted);
    for (const api::ScenarioResult& result : api::run_scenarios(rules, {api::EngineKind::interpreter}).results) {
      INFO(result.title << ": " << result.found);
      CHECK(result.passed);
    }
  }
}

// Several hundred kinds of cards are played in one window. The JIT compiles them, both engines and the unoptimized code
// play the same games, and every decision lists as many options as it counts.
TEST_CASE("limits: hundreds of kinds of cards in one window") {
  if (std::system("command -v python3 >/dev/null") != 0) {
    WARN("skipped: python3 is missing");
    return;
  }
  const std::filesystem::path path = std::filesystem::temp_directory_path() / "cardwright-kinds.rules";
  REQUIRE(std::system(("python3 " + checkout("tools/bench/kinds.py") + " 400 >" + path.string()).c_str()) == 0);
  const api::Ruleset rules = api::Ruleset::load(path.string());
  const auto digest = [&](api::EngineKind engine, bool plain) {
    api::SimulateSettings settings;
    settings.games = 40;
    const api::Statistics played = api::simulate(rules.compile({.players = 3, .plain = plain}, engine), settings);
    CHECK(played.failed == 0);
    CHECK(played.asked_per_game > 30);
    return played.digest;
  };
  const std::uint64_t interpreted = digest(api::EngineKind::interpreter, false);
  CHECK(digest(api::EngineKind::interpreter, true) == interpreted);
  if (api::jit_is_available()) CHECK(digest(api::EngineKind::jit, false) == interpreted);

  const api::Game game = rules.compile({3, {}}, api::EngineKind::interpreter);
  std::set<std::string> actions;
  for (std::uint64_t index = 0; index < 3; ++index)
    for (api::State state = game.new_state(1, index); !state.is_over();) {
      const auto options = state.legal();
      const std::size_t choice = static_cast<std::size_t>(state.decisions() * 7) % state.legal_count();
      CHECK(options.size() == state.legal_count());
      CHECK(std::is_sorted(options.begin(), options.end()));
      actions.insert(state.option(choice).action);
      state.apply(choice);
    }
  CHECK(actions.size() > 60);
  std::filesystem::remove(path);
}

// The game has more card kinds than a mask has bits, and an edge parameter on a board with many edges.
TEST_CASE("limits: sets of many kinds and edges") {
  const std::string cards = [] {
    std::string out;
    for (int i = 0; i < 80; ++i) out += fmt::format("card K{}: Chip\n", i);
    return out;
  }();
  const std::string rules =
      "game \"Kinds\"\nplayers 2\nboard yard: grid 31 x 31\ncard type Chip\n" + cards +
      "deck Chips: Chip into bag { each card x 2 }\n"
      "player { seen: set of kind = []; n: 0..9 = 0; wall: edge? }\ntable { zone bag: pile, facedown }\n"
      "action look in main { let c = top of bag; if c is some and c.kind in me.seen then me.n = 1 }\n"
      "action build(e: edge) in main { me.wall = e }\n"
      "play { turns clockwise from first of players up to 4 { phase main { ask active } } }\n"
      "end when play is over { winners players with most n }\n"
      "scenario \"late kinds\" for 2 players { given a.seen = [K70, K79], bag = [K70]\n when main of a begins\n"
      " and a uses look\n then a.n == 1 and size(a.seen) == 2 }\n";
  const std::string path = (std::filesystem::temp_directory_path() / "cardwright-limits.rules").string();
  std::ofstream(path) << rules;
  const Ran ran = run("test " + path + " --engine interp");
  INFO(ran.out);
  CHECK(ran.out.find("1 passed, 0 failed") != std::string::npos);
  std::filesystem::remove(path);
}
