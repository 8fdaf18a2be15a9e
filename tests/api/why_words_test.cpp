// Tests that answers to `why` follow a condition to the facts that the player knows, and promise only offered options.
#include <catch2/catch.hpp>

#include "cardwright/cardwright.hpp"
#include "tests/api/rules_text.h"

using namespace cardwright::api;
using cardwright::test::game_of;

using Answer = std::vector<std::string>;

TEST_CASE("why: conditions on own hidden cards are followed into functions", "[why]") {
  const Game game = game_of(R"(game "Cost"
players 2
card type Card { cost: 0..9 = 1 }
card type Land: Card { plays to me.field; play in main }
card type Spell: Card { plays to gone; play in main when castable(me, this) { me.points += 1 } }
card Bolt: Spell, cost 3
card Moor: Land
deck Cards: Card into pile { Bolt x 8, Moor x 8 }
player { zone field: public; zone hand: owner; points: 0..9 = 0 }
table { zone pile: pile, facedown; zone gone: pile, faceup }
function mana(p: player): int = size(p.field where it is Land)
function castable(p: player, c: Card): bool = mana(p) >= c.cost
function is_rich(): bool { return false "{size(seat(2).hand & all Bolt)} Bolts" }
action shop in main when is_rich() { me.points += 2 }
setup { shuffle pile; deal 6 from pile to each hand }
play { turns clockwise from first of players up to 2 { phase main { ask active or pass } } }
end when play is over { winners players with most points }
)");
  const State state = game.new_state(1);
  CHECK(state.why(0, "Bolt") == Answer{"play Bolt: only if castable of you, Bolt: your mana is at least Bolt's cost "
                                       "(Bolt's cost is 3, your mana is 0)"});
  CHECK(state.why(0, "shop") == Answer{"shop: only if is rich: ? Bolts"});
}

TEST_CASE("why: an answer names only the arguments on which it depends", "[why]") {
  const Game game = game_of(R"(game "Cells"
players 2
use std.grid on field
board field: grid 4 x 4
card type Man
card Bomb: Man
card Walker: Man
player { zone army: owner, starts with 1 Bomb, starts with 1 Walker; men: set of cell; man: Man? per cell = none }
function ways(p: player, c: cell): set of cell {
  let m = p.man[c]
  if m is none or m is Bomb then return []
  return beside([c]) - p.men
}
action march(from: cell in me.men where ways(me, it) is not empty, to: cell in ways(me, from)) in main { me.points += 1 }
player { points: 0..9 = 0 }
setup {
  each p in players {
    var x = 0
    each m in p.army { let c = field[x, 3 * seat_of(p)]; if c is some { p.man[c] = m; p.men += c }; x += 1 }
  }
}
play { turns clockwise from first of players up to 2 { phase main { ask active or pass } } }
end when play is over { winners nobody }
)");
  const State state = game.new_state(1);
  CHECK(state.why(0, "march b1") == Answer{"march b1: you can do this now"});
  CHECK(state.why(0, "march b1 b2") == Answer{"march b1 b2: you can do this now"});
  CHECK(state.why(0, "march b1 a1") == Answer{"march b1 a1: a1 is not in ways of you, b1: in your men"});
  CHECK(state.why(0, "march a1") == Answer{"march a1: only if ways of you, a1 is not empty"});
  CHECK(state.why(0, "march a4") == Answer{"march a4: a4 is not in your men"});
}
