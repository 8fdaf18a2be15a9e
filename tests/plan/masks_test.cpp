// Tests conditions that are evaluated for all elements at once: they give the same result as a loop, and fail only
// where the loop would fail.
#include <catch2/catch.hpp>

#include <fstream>

#include "cardwright/cardwright.hpp"
#include "tests/support/command.h"

using namespace cardwright::api;

TEST_CASE("masks: a guarded condition is not evaluated if its guard is false", "[masks]") {
  const cardwright::TemporaryFolder folder;
  std::ofstream(folder.path() + "/guard.rules") << R"(game "Guard"
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
    const Game game = Ruleset::load(folder.path() + "/guard.rules").compile({}, engine);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      State state = game.new_state(seed);
      state.playout();
      CHECK_FALSE(state.failure());
    }
  }
}

namespace {

// Counts the elements of a set condition and of an equivalent loop; a difference ends the game with a division by zero.
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
// counts the suits of which p has: 0 enough cards, 1 too few, 2 exactly the number needed
function count(p: player, low: int): int {
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

// A game with conditions on the top cards of piles: whether a top card is of one kind, or of a type whose two kinds
// (Red and Pink) have no adjacent ids. Each parameter of `put` depends on an earlier one.
constexpr const char* kTops = R"(game "Tops"
players 2
card type Card { n: 1..3 }
card type Warm: Card
card Red: Warm
card Blue: Card
card Pink: Warm
deck Cards: Card into stock {
  each k in 1..3: Red(n: k) x 5
  each k in 1..3: Blue(n: k) x 5
  each k in 1..3: Pink(n: k) x 5
}
player { zone hand: owner; zone own: pile, faceup }
table { zone stock: pile, facedown; zone gone: public }
area heap x 18 { zone cards: pile, faceup; owner: player? = none }
area room x 1 { most: 0..3 = 2 }
setup {
  shuffle stock
  each h in heaps where h < 15 { h.owner = if h mod 2 == 0 then seat(1) else seat(2) }
  deal 6 from stock to each hand
}
value face(h: heap): card?      = top of h.cards
value red(p: player): bool      = any h in heaps has h.owner == p and face(h) is Red
value warm(p: player): int      = size(heaps where it.owner == p and face(it) is Warm)
value cold(p: player): int      = size(heaps where it.owner == p and not (face(it) is Warm))
value reds: int                 = size(players where top of it.own is Red)
function counted(p: player, what: int): int {                  // 0 red ones, 1 warm ones, 2 others
  var n = 0
  each h in heaps {
    let c = top of h.cards
    if h.owner == p and (what == 0 and c is Red or what == 1 and c is Warm or what == 2 and not (c is Warm)) then n += 1
  }
  return n
}
function own_reds(): int {
  var n = 0
  each p in players {
    let c = top of p.own
    if c is Red then n += 1
  }
  return n
}
value fits(c: card, h: heap): bool = c is Card and h.owner is some and (c.n == 1 or size(h.cards) < c.n)
event check(right: bool) { let fails = 1 / (if right then 1 else 0) }
action put(r: room, c: Card in me.hand, h: heap where fits(c, h) and h.owner == me, k: 0..3 where k <= size(h.cards) and k <= r.most) in main {
  check(fits(c, h) and h.owner == me and k <= size(h.cards) and k <= r.most and c in me.hand)
  repeat k { move top of h.cards to gone }
  move c to h.cards
}
action keep(c: Card in me.hand) in main { move c to me.own }
action hide(h: heap where h > 9 and h.owner is some) in main when stock is not empty { move top of stock to h.cards facedown }
action flip(h: heap where h.cards is not empty) in main { turn h.cards faceup }
action cover(h: heap where h.cards is not empty) in main { turn h.cards facedown }
action draw in main when stock is not empty { move top of stock to me.hand }
play {
  turns clockwise from first of players up to 60 {
    phase main { ask active or pass }
    phase look {
      each p in players {
        check(red(p) == (counted(p, 0) > 0))
        check(warm(p) == counted(p, 1))
        check(cold(p) == counted(p, 2))
      }
      check(reds == own_reds())
    }
  }
}
end when play is over { winners players with most size(it.hand) }
)";

void check_played(const char* rules) {
  const cardwright::TemporaryFolder folder;
  std::ofstream(folder.path() + "/game.rules") << rules;
  for (const EngineKind engine : {EngineKind::interpreter, EngineKind::jit}) {
    if (engine == EngineKind::jit && !jit_is_available()) continue;
    const Game game = Ruleset::load(folder.path() + "/game.rules").compile({}, engine);
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

}   // namespace

TEST_CASE("masks: conditions on all elements at once equal a loop", "[masks]") { check_played(kCounted); }
TEST_CASE("masks: conditions on tops of piles and on the last of several dependent parameters equal a loop",
          "[masks]") {
  check_played(kTops);
}
