// Tests State::resample: sampled worlds depend only on the seed and the player's knowledge, never on the true state,
// and all have equal probability.
#include <catch2/catch.hpp>

#include <cmath>
#include <map>
#include <string>

#include "cardwright/cardwright.hpp"
#include "api/game/worlds.h"
#include "tests/api/hidden.h"
#include "tests/support/files.h"

using namespace cardwright::api;
using cardwright::test::checkout;

TEST_CASE("worlds: two states that a player can't distinguish have the same sampled worlds", "[worlds][leaks]") {
  int compared = 0;
  for (const auto& [name, players] : cardwright::test::kHidden) {
    const Game game = Ruleset::load(name).compile({players, {}});
    State state = game.new_state(4, 1);
    for (std::uint64_t i = 0; i < 30 && !state.is_over(); ++i, state.apply(state.random_index())) {
      const int player = static_cast<int>(i) % players;
      const State other = state.resample(player, 50 + i);
      INFO(name << ", decision " << i);
      CHECK(state.resample(player, i).hash() == other.resample(player, i).hash());
      compared += other.hash() != state.hash();
    }
  }
  CHECK(compared > 100);
}

TEST_CASE("worlds: worlds drawn singly or from one source are equal, with and without knowledge", "[worlds]") {
  const Game game = Ruleset::load("splash").compile({5, {}});
  State state = game.new_state(4, 2);
  for (int i = 0; i < 40 && !state.is_over(); ++i) state.apply(state.random_index());
  REQUIRE_FALSE(state.is_over());
  detail::Worlds source(state.data(), state.actor()), unknowing(state.data(), state.actor());
  unknowing.drop_knowledge();
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    detail::StateData one(state.data()), other(state.data());
    REQUIRE(source.draw(one, seed));
    REQUIRE(unknowing.draw(other, seed));
    const std::uint64_t hash = state.resample(state.actor(), seed).hash();
    CHECK(State(std::make_unique<detail::StateData>(one)).hash() == hash);
    CHECK(State(std::make_unique<detail::StateData>(other)).hash() == hash);
    CHECK_FALSE(other.keeps_knowledge);
  }
}

// There are three unknown cards, one in each other hand and one in the stock: six worlds.
TEST_CASE("worlds: all sampled worlds have equal probability", "[worlds]") {
  const cardwright::TemporaryFolder folder;
  const Game game = Ruleset::load(folder.write("four.rules", R"(game "Four"
players 3
card type Card { n: 1..4 }
deck Cards: Card into stock { each k in 1..4: Card(n: k) }
player { zone hand: owner }
table { zone stock: pile, facedown }
setup { shuffle stock; deal 1 from stock to each hand }
action wait in main { }
play { phase main { ask first of players } }
end when play is over { winners nobody }
)"))
                        .compile();
  const State state = game.new_state(1);
  std::map<std::string, int> drawn;
  constexpr int kDraws = 6000;
  for (std::uint64_t seed = 0; seed < kDraws; ++seed) ++drawn[state.resample(0, seed).view(-1)];
  REQUIRE(drawn.size() == 6);
  for (const auto& [world, count] : drawn) CHECK(std::abs(count - kDraws / 6) < 5 * std::sqrt(kDraws / 6.0));
}
