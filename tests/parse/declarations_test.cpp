// Tests that declarations produce the nodes specified in compiler/ast/nodes.def.
#include "tests/parse/parsing.h"

namespace cardwright::parse_tests {

TEST_CASE("parse: game and options") {
  CHECK(decls(R"(game "x" extends splash
players 4..8
players 2, usually 2)") == R"(game'x'(splash) players_decl(4 8) players_decl(2 2 2))");
  CHECK(decls(R"(library french with ace_is: 1..14 = 14)") ==
        R"(library'french'([field'ace_is'(type_range(1 14) 14)]))");
  CHECK(decls(R"(library grid on board)") == R"(library'grid'([] board))");
  CHECK(decls(R"(use std.french with ace_is: 1)") == R"(use_decl'std.french'([arg'ace_is'(1)]))");
  CHECK(decls(R"(const a = 3
const b: int = 4
let y = a in [b, c])") ==
        R"(const_decl'a'(- 3) const_decl'b'(type_name'int' 4) const_decl'y'(- binary'in'(a list_lit(b c))))");
  CHECK(decls(R"(players 2..10, usually 2)") == R"(players_decl(2 10 2))");
  CHECK(
      decls(R"(option reshuffle
option n: 1..10 = 5
option m: a | b
option o: 12 | 8)") ==
      R"(option_decl'reshuffle' option_decl'n'(- type_range(1 10) 5) option_decl'm'(- - - [option_value'a' option_value'b']) option_decl'o'(- - - [option_value'12' option_value'8']))");
  CHECK(
      decls(R"(option p "Label" = x | y { end when z { winners nobody } }
option q: Suit
option r = a
         | b)") ==
      R"(option_decl'p'(string'Label' - - [option_value'x' option_value'y'([end_when(z [winners_stmt(nobody)])])]) option_decl'q'(- type_name'Suit') option_decl'r'(- - - [option_value'a' option_value'b']))");
  CHECK(
      decls(R"(with a == b { card X: Y } otherwise { card Z: Y }
without c { turn var x: int })") ==
      R"(with_decl(binary'=='(a b) [card'X'(Y [] - [])] [card'Z'(Y [] - [])]) with_decl#1(c [field'x'#1(type_name'int' - [])]))");
  CHECK(
      decls(R"(deadline implies briefing unless night
conflict a with b "why"
require players <= 5 with colours "five"
briefing is void with turns "n"
warn when a and b "hm")") ==
      R"(implies_decl(deadline briefing night) conflict_decl'why'(a b) require_decl'five'(binary'<='(players 5) colours) void_decl'n'(briefing turns) warn_decl'hm'(binary'and'(a b)))");
  CHECK(decls(R"(variant "V" { a = v, b = 3 })") == R"(variant_decl'V'([arg'a'(v) arg'b'(3)]))");
  CHECK(
      decls(R"(deck Cards: Splash x 30, Miss x 9
remove card WaterBalloon
replace card Chips { text "R" play in main { gain(me, 2) } })") ==
      R"(deck'Cards'(- - - - - [deck_row'Splash'(- 30) deck_row'Miss'(- 9)]) remove_decl'WaterBalloon'(word'card') replace_decl(card'Chips'(- [] - [text_decl'R'(string'R') play_decl([word'main'] [] [] - - [call_stmt(call'gain'([arg(me) arg(2)]))])])))");
}

TEST_CASE("parse: boards", "[parse]") {
  CHECK(decls("board field: grid 8 x 8") == "board'field'(8 8)");
  CHECK(decls("board rack: grid wide x high + 1 wraps both") == "board'rack'#3(wide binary'+'(high 1))");
  CHECK(decls("value board(): int = grid + wraps") == "value_decl'board'([] type_name'int' binary'+'(grid wraps) [])");
}

TEST_CASE("parse: pieces", "[parse]") {
  CHECK(decls("piece hero, one per player on field { facing N; shows \"@\" }") ==
        "piece'hero'#1(player field [facing_decl(N) shows_decl(string'@')])");
  CHECK(decls("piece token x 14 on field") == "piece'token'(14 field)");
  CHECK(decls("piece bar x 2 on field { covers 2 x 1 }") == "piece'bar'(2 field [covers(2 1)])");
  CHECK(decls("piece el x 2 on field { covers offsets [(0, 0), (0, -1)] }") ==
        "piece'el'(2 field [covers#1(0 0 0 unary'-'(1))])");
}

TEST_CASE("parse: components") {
  CHECK(
      decls(R"(enum Rank { two = 2, three, ace = 14 }
enum Part from "p.csv" where box == base {
 low: int
 side: Side
})") ==
      R"(enum_decl'Rank'(- - [enum_const'two'(2) enum_const'three' enum_const'ace'(14)]) enum_decl'Part'(string'p.csv' binary'=='(box base) [field'low'(type_name'int' - []) field'side'(type_name'Side' - [])]))");
  CHECK(
      decls(R"(card type Item {
 unprinted suit: Suit, rank: 2..14
 icon: Icon = if suit == Hearts then Ducky
 else Blank
})") ==
      R"(card_type'Item'(- - [field'suit'#5(type_name'Suit' - []) field'rank'#5(type_range(2 14) - []) field'icon'(type_name'Icon' if_expr(binary'=='(suit Hearts) Ducky Blank) [])]))");
  CHECK(decls(R"(card type French { suit: Suit } "{rank} of {suit}")") ==
        R"(card_type'French'(- string'{rank} of {suit}' [field'suit'(type_name'Suit' - [])]))");
  CHECK(
      decls(R"(card type Gun: Yellow { plays to me.table replacing any Gun }
card type F: G { in force while this in target }
card type H { points: int, in force while me.pick == this })") ==
      R"(card_type'Gun'(Yellow - [plays_to(member'table'(me) Gun)]) card_type'F'(G - [in_force_decl(binary'in'(this target))]) card_type'H'(- - [field'points'(type_name'int' - []) in_force_decl(binary'=='(member'pick'(me) this))]))");
  CHECK(
      decls(R"(card OZ6400: Gun, range 1 "O.Z. 6400" {
  text "Splash"
  while in table { modify splash_limit(me) to unlimited }
})") ==
      R"(card'OZ6400'(Gun [attr'range'(1)] string'O.Z. 6400' [text_decl'Splash'(string'Splash') while_decl'table'([modify_decl'splash_limit'([pattern(me)] - unlimited_lit)])]))");
  CHECK(decls(R"(card Skateboard: Yellow {
  while in hand, shown { has Hat }
})") == R"(card'Skateboard'(Yellow [] - [while_decl'hand'([has_decl'Hat'] [word'shown'])]))");
  CHECK(decls(R"(card Global: Level { number 1 }     card District: Level { number 5 })") ==
        R"(card'Global'(Level [] - [field'number'(- 1 [])]) card'District'(Level [] - [field'number'(- 5 [])]))");
  CHECK(
      decls(R"(character type Attendee { towels: 1..8 }
character Sen: Attendee, towels 4 { after lose(me, n) { draw(me, n) } })") ==
      R"(character_type'Attendee'([field'towels'(type_range(1 8) - [])]) character'Sen'(Attendee [attr'towels'(4)] - [trigger_decl'lose'#1([pattern(me) pattern(n)] - [call_stmt(call'draw'([arg(me) arg(n)]))])]))");
  CHECK(
      decls(R"(character Mika: Attendee, towels 4 {
  Miss in me.hand is also Splash
  Splash in me.hand is also Miss
})") ==
      R"(character'Mika'(Attendee [attr'towels'(4)] - [also_decl'Miss'(member'hand'(me) Splash) also_decl'Splash'(member'hand'(me) Miss)]))");
  CHECK(decls(R"(deck Roles: Role, by players {
 players 4 5
 Kid 1 1
 Friend 0 1
})") == R"(deck'Roles'#2(Role - - - - [deck_players(4 5) deck_counts'Kid'(1 1) deck_counts'Friend'(0 1)]))");
  CHECK(
      decls(R"(deck Attendees: Attendee, one of each
deck Cards: Item into draw from "x.csv" where box == beginner, total 80)") ==
      R"(deck'Attendees'#1(Attendee - - - - []) deck'Cards'(Item - draw string'x.csv' binary'=='(box beginner) [] 80))");
  CHECK(decls(R"(deck B: Finger into box {
 Shot 1 x 10  Ricochet 1 x 2
 Guard 4 x 4
 total 72
})") == R"(deck'B'(Finger - box - - [deck_row'Shot'([1] 10) deck_row'Ricochet'([1] 2) deck_row'Guard'([4] 4)] 72))");
  CHECK(decls(R"(deck B: Card { each r in 1..ranks: Card(rank: r) x 2 } into deck)") ==
        R"(deck'B'(Card - deck - - [deck_each([gen'r'(range_lit(1 ranks))] - [deck_row'Card'([arg'rank'(r)] 2)])]))");
  CHECK(
      decls(R"(deck B: Card { each s in Suit, r in Rank where r > 3: French(suit: s, rank: r) } total 52)") ==
      R"(deck'B'(Card - - - - [deck_each([gen's'(Suit) gen'r'(Rank)] binary'>'(r 3) [deck_row'French'([arg'suit'(s) arg'rank'(r)])])] 52))");
  CHECK(decls(R"(deck Cards: Standard x (if size(players) > 5 then 2 else 1) into stock)") ==
        R"(deck'Cards'(Standard if_expr(binary'>'(size_of(players) 5) 2 1) stock - - []))");
}

TEST_CASE("parse: state") {
  CHECK(
      decls(R"(player {
  role: Role, secret
  towels: -9..9
  zone hand: owner
  zone table: public, one of a kind
})") ==
      R"(player_state([field'role'(type_name'Role' - [word'secret']) field'towels'(type_range(unary'-'(9) 9) - []) zone'hand'([zone_attr'owner']) zone'table'([zone_attr'public' zone_attr'one of a kind'])]))");
  CHECK(
      decls(R"(table {
  zone draw: pile, facedown, refill from discard
  zone cup: owner, starts with dice_each Die
  zone stock: pile, shared without colours
})") ==
      R"(table_state([zone'draw'([zone_attr'pile' zone_attr'facedown' zone_attr'refill from'(discard)]) zone'cup'([zone_attr'owner' zone_attr'starts with'(deck_row'Die'(- dice_each))]) zone'stock'([zone_attr'pile' zone_attr'shared without'(colours)])]))");
  CHECK(decls(R"(area stack x 4 { zone cards: pile, faceup })") ==
        R"(area'stack'(4 [zone'cards'([zone_attr'pile' zone_attr'faceup'])]))");
  CHECK(
      decls(R"(turn var splashes = 0
round var aim: player?, public
phase var n: 0..9 = 1)") ==
      R"(field'splashes'#1(- 0 []) field'aim'#2(type_optional(type_name'player') - [word'public']) field'n'#3(type_range(0 9) 1 []))");
  CHECK(
      decls(R"(player {
  spreads: list of set of French up to 3 = []
  best: (0..9)? per cell = none
  m: int per Suit
  ahead: dir, public
})") ==
      R"(player_state([field'spreads'(type_list(type_set(type_name'French') 3) list_lit []) field'best'(type_map(type_optional(type_range(0 9)) type_name'cell') none_lit []) field'm'(type_map(type_name'int' type_name'Suit') - []) field'ahead'(type_name'dir' - [word'public'])]))");
  CHECK(
      decls(R"(text: int
kind: Kind
value = 3
event: int, action: int
zone = 2
least = 1)") ==
      R"(field'text'(type_name'int' - []) field'kind'(type_name'Kind' - []) field'value'(- 3 []) field'event'(type_name'int' - []) field'action'(type_name'int' - []) field'zone'(- 2 []) field'least'(- 1 []))");
  CHECK(
      decls(R"(player { text: int
 draw: int
 table: int
 turn: int
 top: int
 play: int })") ==
      R"(player_state([field'text'(type_name'int' - []) field'draw'(type_name'int' - []) field'table'(type_name'int' - []) field'turn'(type_name'int' - []) field'top'(type_name'int' - []) field'play'(type_name'int' - [])]))");
}

TEST_CASE("parse: rules") {
  CHECK(
      decls(R"(value distance(from: player, to: player): int = seats_between(from, to) at least 1)") ==
      R"(value_decl'distance'([param'from'(type_name'player') param'to'(type_name'player')] type_name'int' call'seats_between'([arg(from) arg(to)]) [clamp'at least'(1)]))");
  CHECK(
      decls(R"(value v(p: player): int = 3 at least 1 at most 5
value balloon_damage: int = 3)") ==
      R"(value_decl'v'([param'p'(type_name'player')] type_name'int' 3 [clamp'at least'(1) clamp'at most'(5)]) value_decl'balloon_damage'([] type_name'int' 3 []))");
  CHECK(
      decls(R"(kept value level(c: cell) = most of o.bottom for o in Thing where c in o.cells or else 0)") ==
      R"(value_decl'level'#1([param'c'(type_name'cell')] - binary'or else'(aggregate'most'(member'bottom'(o) [gen'o'(Thing)] binary'in'(c member'cells'(o))) 0) []))");
  CHECK(
      decls(R"(value payoff(p: player): int {
  if p is out then return 0
  return p.won - p.paid
})") ==
      R"(value_decl'payoff'([param'p'(type_name'player')] type_name'int' - [] [if_stmt(is_expr'out'(p) [return_stmt(0)]) return_stmt(binary'-'(member'won'(p) member'paid'(p)))]))");
  CHECK(
      decls(R"(function f(cost: rule(cell, dir) -> int?): set of cell = x)") ==
      R"(function_decl'f'([param'cost'(type_rule(type_optional(type_name'int') type_name'cell' type_name'dir'))] type_set(type_name'cell') x))");
  CHECK(
      decls(R"(sequence s(h: set of French): set of French { yield [] })") ==
      R"(sequence_decl's'([param'h'(type_set(type_name'French'))] type_set(type_name'French') [yield_stmt(list_lit)]))");
  CHECK(
      decls(R"(event e(p: any player, n: int = 1): card? nested up to 4 { }
event announce(p: player))") ==
      R"(event_decl'e'([param'p'#4(type_name'player') param'n'(type_name'int' - - 1)] type_optional(type_name'card') [] 4) event_decl'announce'([param'p'(type_name'player')]))");
  CHECK(decls(R"(event e(orders: player, replacements: int), orders orders replacements nested up to 4 { })") ==
        R"(event_decl'e'([param'orders'(type_name'player') param'replacements'(type_name'int')] - [] 4 orders))");
  CHECK(
      decls(R"(window w(leader: player) {
  var draws: 0..10 = 0
  ask each of players from leader, again until pass
})") ==
      R"(window_decl'w'([param'leader'(type_name'player')] - [field'draws'#4(type_range(0 10) 0 []) ask_stmt#49(players - leader)]))");
  CHECK(
      decls(
          R"(action dry_off(cs: 2 cards in me.hand) in any window, free when me.towels < me.most { move cs to discard })") ==
      R"(action_decl'dry_off'#1([param'cs'#1(- member'hand'(me) 2 - - - type_name'cards')] [word'any window'] [] binary'<'(member'towels'(me) member'most'(me)) - [move_stmt([cs] discard)]))");
  CHECK(
      decls(R"(action a(cs: exactly 3 cards in S, us: up to 3 cards in S, vs: any cards in S) in w { })") ==
      R"(action_decl'a'([param'cs'#1(- S 3 - - - type_name'cards') param'us'#2(- S 3 - - - type_name'cards') param'vs'#3(- S - - - - type_name'cards')] [word'w'] [] - - []))");
  CHECK(decls(R"(action a(cs: any cards in S where it is K) in w { })") ==
        R"(action_decl'a'([param'cs'#3(- where_expr(S is_expr(it K)) - - - - type_name'cards')] [word'w'] [] - - []))");
  CHECK(decls(R"(action a(b: 0..9 where b > bid) in w { })") ==
        R"(action_decl'a'([param'b'(type_range(0 9) - - - - binary'>'(b bid))] [word'w'] [] - - []))");
  CHECK(
      decls(
          R"(action a(c: French in me.hand where fits(c), t: player where t != me) in w or v, once per turn and target, must "Play {c}" { } late { x() } wrong { y() })") ==
      R"(action_decl'a'([param'c'(type_name'French' member'hand'(me) - - - call'fits'([arg(c)])) param't'(type_name'player' - - - - binary'!='(t me))] [word'w' word'v'] [limit'turn'(- target)] - string'Play {c}' [] - timing#2(- - - - [call_stmt(call'x'([]))] [call_stmt(call'y'([]))])))");
  CHECK(
      decls(R"(action a in w, once per turn as shot when x is empty { }
action b in w, as shot "L" { } late or wrong { z() })") ==
      R"(action_decl'a'([] [word'w'] [limit'turn'(shot)] is_expr'empty'(x) - []) action_decl'b'([] [word'w'] [limit'as'(shot)] - string'L' [] - timing(- - - - [call_stmt(call'z'([]))] [call_stmt(call'z'([]))])))");
  CHECK(
      decls(R"(action keep(cs: 2 cards in me.hand keeping (sum of worth(c) for c in cs) <= 3) in w { })") ==
      R"(action_decl'keep'([param'cs'#1(- member'hand'(me) 2 - binary'<='(aggregate'sum'(call'worth'([arg(c)]) [gen'c'(cs)]) 3) - type_name'cards')] [word'w'] [] - - []))");
  CHECK(
      decls(
          R"(action draw in play_or_draw when play_or_draw.draws < most_draws and stock is not empty "Draw a card" { })") ==
      R"(action_decl'draw'([] [word'play_or_draw'] [] binary'and'(binary'<'(member'draws'(play_or_draw) most_draws) is_expr'empty'#1(stock)) string'Draw a card' []))");
  CHECK(
      decls(R"(card X: Y {
  play in main (target in others where in_reach(me, target)) when splashes < 2 to target.table { log "x" }
})") ==
      R"(card'X'(Y [] - [play_decl([word'main'] [param'target'(- others - - - call'in_reach'([arg(me) arg(target)]))] [] binary'<'(splashes 2) member'table'(target) [log_stmt(string'x')])]))");
  CHECK(
      decls(R"(card X: Y { play in main or rescue when chips_work { gain(me, 1) } }
card Z: Y { play in main to me.table })") ==
      R"(card'X'(Y [] - [play_decl([word'main' word'rescue'] [] [] chips_work - [call_stmt(call'gain'([arg(me) arg(1)]))])]) card'Z'(Y [] - [play_decl([word'main'] [] [] - member'table'(me))]))");
  CHECK(decls(R"(modify distance(from: _, to: me) by +1)") ==
        R"(modify_decl'distance'#1([pattern'from'(_) pattern'to'(me)] - 1))");
  CHECK(decls(R"(modify playable(p) when broken to p.hand)") ==
        R"(modify_decl'playable'([pattern(p)] broken member'hand'(p)))");
  CHECK(decls(R"(modify playable(p) to p.hand when broken)") ==
        R"(modify_decl'playable'([pattern(p)] broken member'hand'(p)))");
  CHECK(decls(R"(modify sight(_) at most 1
modify worth(c) at least 2
modify x to 1)") ==
        R"(modify_decl'sight'#3([pattern(_)] - 1) modify_decl'worth'#2([pattern(c)] - 2) modify_decl'x'(- - 1))");
  CHECK(decls(R"(modify x to (p.hand where suit != hearts) or else p.hand)") ==
        R"(modify_decl'x'(- - binary'or else'(where_expr(member'hand'(p) binary'!='(suit hearts)) member'hand'(p))))");
  CHECK(
      decls(R"(modify playable(p) when p != leader and (no c in p.hand has c.suit == led())
  to (p.hand where penalty(it) <= 0) or else p.hand)") ==
      R"(modify_decl'playable'([pattern(p)] binary'and'(binary'!='(p leader) quantifier'no'(member'hand'(p) binary'=='(member'suit'(c) call'led'([])) c)) binary'or else'(where_expr(member'hand'(p) binary'<='(call'penalty'([arg(it)]) 0)) member'hand'(p))))");
  CHECK(
      decls(R"(forbid any action as shot when x
forbid play Miss when y
allow flip_hat
forbid attack(this, _)
forbid play Miss(_, t) when t
forbid play, jam when z)") ==
      R"(forbid_decl'any action'(- - shot x) forbid_decl'play'(Miss - - y) forbid_decl'flip_hat'#1 forbid_decl'attack'(- [pattern(this) pattern(_)]) forbid_decl'play'(Miss [pattern(_) pattern(t)] - t) forbid_decl'play'(- - - z) forbid_decl'jam'(- - - z))");
  CHECK(
      decls(R"(policy careful for bots "Cares" {
  avoid play Chips, jam(_, x), pass when y
  weight choose suit(s), any action as shot by 3 when z
  with more { weight play Miss(t) when u by n }
})") ==
      R"(policy_decl'careful'(string'Cares' [policy_rule'play'(Chips - - y) policy_rule'jam'(- [pattern(_) pattern(x)] - y) policy_rule'pass'(- - - y) policy_rule'choose'#1(suit [pattern(s)] - z 3) policy_rule'any action'#1(- - shot z 3) with_decl(more [policy_rule'play'#1(Miss [pattern(t)] - u n)])] bots))");
  CHECK(decls(R"(before turn(me) { x() })") == R"(trigger_decl'turn'([pattern(me)] - [call_stmt(call'x'([]))]))");
  CHECK(decls(R"(instead of phase draw(me) { draw(me) })") ==
        R"(trigger_decl'draw'#6([pattern(me)] - [call_stmt(call'draw'([arg(me)]))]))");
  CHECK(
      decls(R"(after lose(me, n, by) when by is in and by != me { move n random cards from by.hand to me.hand })") ==
      R"(trigger_decl'lose'#1([pattern(me) pattern(n) pattern(by)] binary'and'(is_expr'in'(by) binary'!='(by me)) [move_stmt([random_cards(n member'hand'(by))] member'hand'(me))]))");
  CHECK(decls(R"(after any action in act or w except step, jump { })") ==
        R"(trigger_decl'action'#9(- - [] [word'act' word'w'] [word'step' word'jump']))");
  CHECK(decls(R"(whenever me.hand is empty { draw(me) })") ==
        R"(whenever_decl(- is_expr'empty'(member'hand'(me)) [call_stmt(call'draw'([arg(me)]))]))");
  CHECK(
      decls(R"(whenever p: player where p.owed > 0 and not p.down { draw(p) })") ==
      R"(whenever_decl'p'(type_name'player' binary'and'(binary'>'(member'owed'(p) 0) unary'not'(member'down'(p))) [call_stmt(call'draw'([arg(p)]))]))");
  CHECK(
      decls(R"(setup { shuffle deck }
play { turns clockwise from a { phase main { ask active until pass } } })") ==
      R"(setup_decl([shuffle_stmt(deck)]) play_flow([turns_stmt'clockwise'(a - - [phase_stmt'main'([ask_stmt#32(active)])])]))");
  CHECK(decls(R"(end when a is out
  { winners players })") == R"(end_when(is_expr'out'(a) [winners_stmt(players)]))");
}

}   // namespace cardwright::parse_tests
