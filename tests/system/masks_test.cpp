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

namespace {

// What is said by conditions of all at once is counted by a loop too; where they differ, a division by zero ends the game.
constexpr const char* kCounted = R"(game "Counted"
players 3
enum Suit { red, blue, green, black }
card type Card { suit: Suit, n: 1..3 }
deck Cards: Card into stock { each s in Suit { each k in 1..3: Card(suit: s, n: k) x 2 } }
player { zone hand: owner; shown: 0..4 per Suit = 0 }
table { zone stock: pile, facedown; zone gone: public; led: Suit = red; said: bool = false }
setup { shuffle stock; deal 3 from stock to each hand }
value need(w: Suit): int                  = if w == red then 1 else if w in [blue, green] then 2 else 3
value enough(p: player): bool             = any w in Suit has p.shown[w] >= need(w)
value short(p: player): bool              = any w in Suit has need(w) > p.shown[w]
value just(p: player): bool               = any w in Suit has p.shown[w] == need(w)
value wants(c: card, p: player): bool     = c is Card and c.suit != led and p.shown[c.suit] < need(c.suit)
value holds(p: player): bool              = any c in p.hand has any q in players has wants(c, q)
whenever any p in players has holds(p) { said = true }
whenever no p in players has holds(p)  { said = false }
function count(p: player, low: int): int {                     // of suits: 0 enough, 1 too few, 2 just as many as needed
  var n = 0
  each w in Suit {
    if low == 0 and p.shown[w] >= need(w) then n += 1
    if low == 1 and p.shown[w] < need(w) then n += 1
    if low == 2 and p.shown[w] == need(w) then n += 1
  }
  return n
}
function held(): bool {
  var found = false
  each p in players { each c in p.hand { each q in players { if wants(c, q) then found = true } } }
  return found
}
event check(right: bool) { let fails = 1 / (if right then 1 else 0) }
action show(c: Card in me.hand) in main {
  move c to gone
  led = c.suit
  if me.shown[c.suit] < 4 then me.shown[c.suit] += 1
}
action draw in main when stock is not empty { move top of stock to me.hand }
play {
  turns clockwise from first of players up to 40 {
    phase main {
      ask active or pass
    }
    phase look {
      each p in players {
        check(enough(p) == (count(p, 0) > 0))
        check(short(p) == (count(p, 1) > 0))
        check(just(p) == (count(p, 2) > 0))
      }
      check(said == held())
    }
  }
}
end when play is over { winners players with most size(it.hand) }
)";

}  // namespace

TEST_CASE("masks: conditions of all at once say what a loop says", "[masks]") {
  const cardwright::test::TemporaryFolder folder;
  std::ofstream(folder.path + "/counted.rules") << kCounted;
  for (const EngineKind engine : {EngineKind::interpreter, EngineKind::jit}) {
    if (engine == EngineKind::jit && !jit_is_available()) continue;
    const Game game = Ruleset::load(folder.path + "/counted.rules").compile({}, engine);
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      State played = game.new_state(seed), stepped = game.new_state(seed);
      played.playout();
      while (!stepped.is_over()) stepped.apply(stepped.random_index());
      CHECK_FALSE(played.failure());
      CHECK_FALSE(stepped.failure());
      CHECK(played.winners() == stepped.winners());
    }
  }
}
