// Tests the classics: the mean number of decisions in random games equals that of research implementations, games are
// the same in all forms and on both engines, and no hidden information leaks.
#include <catch2/catch.hpp>

#include <cmath>

#include "cardwright/tools.hpp"
#include "tests/support/differential.h"
#include "tests/support/leak_probe.h"

using namespace cardwright;
using namespace cardwright::test;

namespace {

using api::EngineKind;

struct Classic {
  const char* name;
  int players;
  double decisions;   // mean number in a random game, published or computed
  std::uint64_t games;
};

// The number of games is large enough to estimate the mean to within one percent.
constexpr Classic kClassics[] = {
    {"crazy_eights", 5, 80.3, 20'000},      {"hearts", 4, 61.0, 20'000},       {"go_fish", 2, 55.5, 10'000},
    {"leduc_poker", 2, 4.06, 200'000},      {"kuhn_poker", 2, 2.25, 200'000},  {"liars_dice", 2, 3.36, 200'000},
    {"goofspiel", 2, 24, 10'000},           {"oh_hell", 3, 30.1, 60'000},      {"gin_rummy", 2, 110.5, 10'000},
    {"blackjack", 1, 1.375, 200'000},       {"tic_tac_toe", 2, 7.63, 100'000}, {"connect_four", 2, 21.3, 50'000},
    {"breakthrough", 2, 64.0, 20'000},      {"othello", 2, 60.4, 20'000},      {"checkers", 2, 68.7, 60'000},
    {"nine_mens_morris", 2, 154.1, 40'000}, {"backgammon", 2, 111.4, 20'000},  {"hex", 2, 107.5, 20'000},
    {"quoridor", 2, 352, 20'000},           {"yahtzee", 2, 79.0, 20'000},
};

api::Configuration table(const Classic& classic) {
  api::Configuration configuration;
  configuration.players = classic.players;
  return configuration;
}

api::Statistics play(const Classic& classic, EngineKind engine, std::uint64_t games) {
  api::SimulateSettings settings;
  settings.games = games;
  settings.seed = 7;
  return api::simulate(api::Ruleset::load(classic.name).compile(table(classic), engine), settings);
}

// Returns the state after `decisions` random decisions, or before the last decision if the game is shorter.
api::State some_way_in(const api::Game& game, std::uint64_t index, int decisions) {
  api::State state = game.new_state(3, index), last = state;
  for (int i = 0; i < decisions && !state.is_over(); ++i) {
    last = state;
    state.apply(state.random_index());
  }
  return state.is_over() ? last : state;
}

}   // namespace

TEST_CASE("classics: as many decisions as in the research implementations", "[classics]") {
  const EngineKind engine = api::jit_is_available() ? EngineKind::jit : EngineKind::interpreter;
  for (const Classic& classic : kClassics) {
    const api::Statistics run = play(classic, engine, classic.games);
    const double mean = static_cast<double>(run.decisions) / static_cast<double>(run.games);
    INFO(classic.name << ": " << mean << " decisions a game, not " << classic.decisions);
    CHECK(run.failures.empty());
    CHECK(std::abs(mean - classic.decisions) <= 0.01 * classic.decisions);
  }
}

TEST_CASE("classics: the same games in all forms and on both engines", "[classics][differential]") {
  constexpr std::uint64_t kStepped = 20, kDigested = 500;
  for (const Classic& classic : kClassics) {
    const api::Ruleset rules = api::Ruleset::load(classic.name);
    const api::Game interp = rules.compile(table(classic), EngineKind::interpreter);
    for (std::uint64_t i = 0; i < kStepped; ++i) CHECK(compare_forms(*interp.data(), 11, i) == "");
    if (!api::jit_is_available()) continue;
    const api::Game jit = rules.compile(table(classic), EngineKind::jit);
    for (std::uint64_t i = 0; i < kStepped; ++i) CHECK(compare_engines(*interp.data(), *jit.data(), 11, i) == "");
    INFO(classic.name);
    CHECK(play(classic, EngineKind::interpreter, kDigested).digest == play(classic, EngineKind::jit, kDigested).digest);
  }
}

TEST_CASE("classics: no player learns more than they may know", "[classics][knowledge]") {
  for (const Classic& classic : kClassics) {
    const api::Game game = api::Ruleset::load(classic.name).compile(table(classic));
    for (std::uint64_t i = 0; i < 40; ++i) {
      INFO(classic.name << ", position " << i);
      CHECK(find_leak(Probe{},
                      some_way_in(game, i, static_cast<int>(classic.decisions * static_cast<double>(i % 8) / 8)), i,
                      4) == "");
    }
  }
}
