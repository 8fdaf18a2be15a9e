// Conditions that are worked out for all elements at once end a game only where a loop over them would.
#include <catch2/catch.hpp>

#include <fstream>

#include "cardwright/cardwright.hpp"
#include "tests/cli/run.h"

using namespace cardwright::api;

TEST_CASE("masks: what a test stands before is not looked at in vain", "[masks]") {
  const cardwright::test::TemporaryFolder folder;
  std::ofstream(folder.path + "/guard.rules") << R"(game "Guard"
players 2
enum Suit { red, blue }
card type Card { suit: Suit }
deck Cards: Card into stock { each s in Suit: Card(suit: s) x 10 }
player { zone hand: owner }
table { zone stock: pile, facedown; started: bool = false; led: Suit }
setup { shuffle stock; deal 5 from stock to each hand }
action play(c: Card in me.hand where started and suit == led or not started) in main {
  move c to bottom of stock
  led = c.suit
  started = true
}
play { turns clockwise from first of players up to 6 { phase main { ask active or pass } } }
end when play is over { winners players with most size(it.hand) }
)";
  for (const EngineKind engine : {EngineKind::interpreter, EngineKind::jit}) {
    if (engine == EngineKind::jit && !jit_is_available()) continue;
    const Game game = Ruleset::load(folder.path + "/guard.rules").compile({}, engine);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      State state = game.new_state(seed);
      state.playout();
      CHECK_FALSE(state.failure());
    }
  }
}
