// Tests games with dice and arranged cards: the same in every form, and a state saved or resampled in the middle of a
// question continues identically.
#include <catch2/catch.hpp>

#include "cardwright/tools.hpp"
#include "tests/support/files.h"
#include "tests/support/resample_contract.h"

using namespace cardwright;
using namespace cardwright::test;
using api::EngineKind;

namespace {

// Plays a random game, and calls `look` with the state before each decision.
template <class Look>
void walk(const api::Game& game, std::uint64_t seed, std::uint64_t index, Look look) {
  api::State state = game.new_state(seed, index);
  for (; !state.is_over(); state.apply(state.random_index())) look(state);
}

// Detects questions in the middle of an `arrange`: outside of windows, at the same location as the previous question.
class Halfway {
 public:
  bool is(const api::State& state) {
    const api::Question now = state.question();
    const bool again = now.window.empty() && now.place == last_;
    last_ = now.window.empty() ? now.place : "";
    return again;
  }

 private:
  std::string last_;
};

std::string played_alike(api::State one, api::State other) {
  if (one.whole_hash() != other.whole_hash()) return "it is another state";
  for (; !one.is_over(); one.apply(one.random_index()), other.apply(other.random_index())) {
    if (other.is_over() || one.actor() != other.actor()) return "another player is asked";
    const auto here = one.legal(), there = other.legal();
    if (!std::equal(here.begin(), here.end(), there.begin(), there.end())) return "there are other options";
  }
  return one.whole_hash() == other.whole_hash() ? "" : "it ends otherwise";
}

std::string played_alike_from_file(const api::State& state, const std::vector<api::Game>& games) {
  const std::string saved = state.save();
  for (const api::Game& game : games) {
    const api::State back = game.restore(saved);
    if (back.save() != saved) return "what is restored is saved otherwise";
    if (const std::string wrong = played_alike(state, back); !wrong.empty())
      return fmt::format("on {}: {}", api::name_of(game.engine()), wrong);
  }
  return {};
}

std::string drawn_alike(const api::State& state, int players, std::uint64_t draw) {
  for (int player = 0; player < players; ++player) {
    api::State world = state.resample(player, draw);
    if (const std::string what = distinguish(state, world, player); !what.empty())
      return fmt::format("seat {}: {}", player, what);
    world.playout();
    if (!world.is_over() || world.failure()) return fmt::format("seat {}: a world does not end as games do", player);
  }
  return {};
}

std::vector<api::Game> on_all_engines(const api::Ruleset& rules, const api::Configuration& table = {}) {
  std::vector<api::Game> out{rules.compile(table, EngineKind::interpreter)};
  if (api::jit_is_available()) out.push_back(rules.compile(table, EngineKind::jit));
  return out;
}

}   // namespace

TEST_CASE("halfway: a partly answered arrange can be saved and resampled", "[halfway][arrange][worlds]") {
  const api::Ruleset rules = api::Ruleset::load(checkout("tests/rulesets/small/arranging.rules"));
  const auto games = on_all_engines(rules, {3, {}});
  int questions = 0;
  for (std::uint64_t index = 0; index < 12; ++index) {
    Halfway halfway;
    walk(games[0], 71, index, [&](const api::State& state) {
      if (!halfway.is(state)) return;
      ++questions;
      REQUIRE(played_alike_from_file(state, games) == "");
      REQUIRE(drawn_alike(state, 3, index * 1'000 + std::uint64_t(questions)) == "");
    });
  }
  CHECK(questions > 60);
}

TEST_CASE("halfway: a partly answered Prophecy can be saved and resampled", "[halfway][arrange][worlds][shoot]") {
  const api::Configuration table{2, {{"mode", "frag_hunt"}, {"map", "bar"}, {"scale", "short_edge"}}};
  const std::vector<api::Game> games{api::Ruleset::load("splatter_shoot").compile(table)};
  int questions = 0;
  for (std::uint64_t index = 0; index < 40 && questions < 6; ++index) {
    Halfway halfway;
    walk(games[0], 72, index, [&](const api::State& state) {
      if (!halfway.is(state) || state.question().prompt != "Which comes first?") return;
      ++questions;
      CHECK(played_alike_from_file(state, games) == "");
      CHECK(drawn_alike(state, 2, index) == "");
    });
  }
  CHECK(questions >= 6);
}

TEST_CASE("halfway: dice can be saved and resampled at every question", "[halfway][dice][worlds]") {
  const api::Ruleset rules = api::Ruleset::load(checkout("tests/rulesets/small/dice.rules"));
  const auto games = on_all_engines(rules, {3, {}});
  for (std::uint64_t index = 0; index < 4; ++index)
    walk(games[0], 73, index, [&](const api::State& state) {
      if (state.decisions() % 3 != 0) return;
      REQUIRE(played_alike_from_file(state, games) == "");
      REQUIRE(drawn_alike(state, 3, index * 1'000 + std::uint64_t(state.decisions())) == "");
    });
}

TEST_CASE("halfway: games with dice and arranged cards have one digest", "[halfway][dice][arrange][differential]") {
  const std::string rolled = checkout("tests/rulesets/small/dice.rules");
  const std::string arranged = checkout("tests/rulesets/small/arranging.rules");
  for (const std::string& what :
       {rolled, arranged, std::string("yahtzee"), std::string("liars_dice"), std::string("backgammon")}) {
    INFO(what);
    const api::Ruleset rules = api::Ruleset::load(what);
    auto games = on_all_engines(rules);
    api::Configuration plain;
    plain.plain = true;
    games.push_back(rules.compile(plain, EngineKind::interpreter));
    api::SimulateSettings settings;
    settings.games = 20;
    settings.seed = 74;
    settings.threads = 1;
    const std::uint64_t digest = api::simulate(games[0], settings).digest;
    for (const api::Game& game : games) CHECK(api::simulate(game, settings).digest == digest);
    settings.seed = 75;
    CHECK(api::simulate(games[0], settings).digest != digest);
  }
}
