// Tests that statements produce the nodes specified in compiler/ast/nodes.def.
#include "tests/parse/parsing.h"

namespace cardwright::parse_tests {

TEST_CASE("parse: statements") {
  CHECK(
      stmts(R"(let s = open W(a, b)
var b
let a: card? = none)") ==
      R"(let_stmt's'(- open_expr'W'([arg(a) arg(b)])) let_stmt'b'#1 let_stmt'a'(type_optional(type_name'card') none_lit))");
  CHECK(
      stmts(R"(if a then x = 1
else y = 2
if a { b() } else if c { d() } else e())") ==
      R"(if_stmt(a [assign_stmt'='(x 1)] [assign_stmt'='(y 2)]) if_stmt(a [call_stmt(call'b'([]))] [if_stmt(c [call_stmt(call'd'([]))] [call_stmt(call'e'([]))])]))");
  CHECK(
      stmts(R"(each p in players from me { y() }
each a in S, b in T after a where a != b at i { z() }
each p in players where p.x { y() })") ==
      R"(each_stmt([gen'p'(players)] - me [call_stmt(call'y'([]))]) each_stmt'i'([gen'a'(S) gen'b'(T a)] binary'!='(a b) - [call_stmt(call'z'([]))] i) each_stmt([gen'p'(players)] member'x'(p) - [call_stmt(call'y'([]))]))");
  CHECK(
      stmts(R"(repeat n { x() }
repeat up to 80 times while open return_fire(p) { x() }
repeat 3 times { y() })") ==
      R"(repeat_stmt(n - [call_stmt(call'x'([]))]) repeat_stmt#1(80 open_expr'return_fire'([arg(p)]) [call_stmt(call'x'([]))]) repeat_stmt(3 - [call_stmt(call'y'([]))]))");
  CHECK(stmts(R"(return
return -x
yield x)") == R"(return_stmt return_stmt(unary'-'(x)) yield_stmt(x))");
  CHECK(
      stmts(
          R"(end turn; end play; end some_window; check end; checkpoint; cancel; stop; next; proceed; proceed(me, 2))") ==
      R"(end_stmt'turn' end_stmt'play' end_stmt'some_window' check_end_stmt checkpoint_stmt cancel_stmt stop_stmt next_stmt proceed_stmt proceed_stmt([arg(me) arg(2)]))");
  CHECK(stmts(R"(afterwards { if by is in then draw(by, 3) })") ==
        R"(afterwards_stmt([if_stmt(is_expr'in'(by) [call_stmt(call'draw'([arg(by) arg(3)]))])]))");
  CHECK(stmts(R"(ask p or pass; ask p until x >= 2; ask p, again; ask each of ps from x, again until y)") ==
        R"(ask_stmt#8(p) ask_stmt(p binary'>='(x 2)) ask_stmt#16(p) ask_stmt#17(ps y x))");
  CHECK(
      stmts(
          R"(ask each of ps until all pass; ask p until pass; ask p, again until pass when z; ask all of players at once)") ==
      R"(ask_stmt#65(ps) ask_stmt#32(p) ask_stmt#48(p - - z) ask_stmt#2(players))");
  CHECK(stmts(R"(ask all of players in real time until C)") == R"(ask_stmt#4(players C))");
  CHECK(stmts(R"(move loot(victim, me) to me.hand)") ==
        R"(move_stmt([call'loot'([arg(victim) arg(me)])] member'hand'(me)))");
  CHECK(stmts(R"(move size(players) cards from draw to favors)") ==
        R"(move_stmt([random_cards#1(size_of(players) draw)] favors))");
  CHECK(stmts(R"(move victim.hand, victim.table to discard, victim picks the top)") ==
        R"(move_stmt([member'hand'(victim) member'table'(victim)] discard victim))");
  CHECK(stmts(R"(move c to bottom of draw; move c to top of draw faceup; move c to discard facedown)") ==
        R"(move_stmt#1([c] draw) move_stmt#2([c] draw) move_stmt#4([c] discard))");
  CHECK(
      stmts(
          R"(move all but top of discard to stock; move all Cards to deck; move top 2 of x to y; move 1 random card from a to b)") ==
      R"(move_stmt([all_but(discard top_expr'top'(- discard))] stock) move_stmt([pick'all'(Cards)] deck) move_stmt([top_expr'top'(2 x)] y) move_stmt([random_cards(1 a)] b))");
  CHECK(
      stmts(
          R"(deal 5 from stock to each hand; deal 1 of Roles to p.role; deal n of Roles to p.role; deal a to p.attendee)") ==
      R"(deal_stmt#1(5 stock hand) deal_stmt#2(1 Roles member'role'(p)) deal_stmt#2(n Roles member'role'(p)) deal_stmt(a - member'attendee'(p)))");
  CHECK(stmts(R"(deal (if x then 2 else 1) from stock to hand facedown)") ==
        R"(deal_stmt#8(if_expr(x 2 1) stock hand))");
  CHECK(
      stmts(R"(shuffle x; reveal y.z; eliminate p; swap a.x with b.x; log "hi {p}"; winners nobody)") ==
      R"(shuffle_stmt(x) reveal_stmt(member'z'(y)) eliminate_stmt(p) swap_stmt(member'x'(a) member'x'(b)) log_stmt(string'hi {p}') winners_stmt(nobody))");
  CHECK(
      stmts(R"(peek top 3 of draw by p; peek seen; peek a, b by p; turn c faceup; turn c facedown; roll p.cup)") ==
      R"(peek_stmt#1(top_expr'top'(3 draw) p) peek_stmt(seen) peek_stmt#1(a b p) turn_stmt'faceup'(c) turn_stmt'facedown'(c) call_stmt(roll_expr(member'cup'(p))))");
  CHECK(stmts(R"(choose c from A, or at random from B where x "Prompt")") ==
        R"(choose_stmt'c'(- - [source(A) source#1(where_expr(B x))] - string'Prompt'))");
  CHECK(stmts(R"(p chooses kept: 2 cards from seen "q" keeping kept is fine)") ==
        R"(choose_stmt'kept'#1(p 2 [source(seen)] is_expr(kept fine) string'q' - - - type_name'cards'))");
  CHECK(
      stmts(R"(choose cs: up to 3 cards from me.hand
choose ds: any cards from me.hand
choose es: exactly 3 cards from S)") ==
      R"(choose_stmt'cs'#2(- 3 [source(member'hand'(me))] - - - - - type_name'cards') choose_stmt'ds'#3(- - [source(member'hand'(me))] - - - - - type_name'cards') choose_stmt'es'#1(- 3 [source(S)] - - - - - type_name'cards'))");
  CHECK(
      stmts(R"(may choose v from others where hand is not empty "q" { x() } else { y() }
p may choose v from others { x() })") ==
      R"(choose_stmt'v'#8(- - [source(where_expr(others is_expr'empty'#1(hand)))] - string'q' - [call_stmt(call'x'([]))] [call_stmt(call'y'([]))]) choose_stmt'v'#8(p - [source(others)] - - - [call_stmt(call'x'([]))]))");
  CHECK(
      stmts(R"(p may "Draw?" { x() } else { y() }
may "Draw?" { x() })") ==
      R"(may_stmt'Draw?'(p string'Draw?' [call_stmt(call'x'([]))] [call_stmt(call'y'([]))]) may_stmt'Draw?'(- string'Draw?' [call_stmt(call'x'([]))]))");
  CHECK(
      stmts(R"(if discard is not empty and may "Take?" { x() } else { proceed })") ==
      R"(if_stmt(binary'and'(is_expr'empty'#1(discard) may_expr'Take?'(- string'Take?')) [call_stmt(call'x'([]))] [proceed_stmt]))");
  CHECK(
      stmts(R"(choose one "Where?" { "label" when c { x() }
 "b" { } }
p chooses one { "x" { } })") ==
      R"(choose_one_stmt(- string'Where?' choice'label'(c [call_stmt(call'x'([]))] string'label') choice'b'(- [] string'b')) choose_one_stmt(p - choice'x'(- [] string'x')))");
  CHECK(
      stmts(R"(turns clockwise from X up to 9 until y { phase main { x() } }
turns { x() })") ==
      R"(turns_stmt'clockwise'(X 9 y [phase_stmt'main'([call_stmt(call'x'([]))])]) turns_stmt'clockwise'(- - - [call_stmt(call'x'([]))]))");
  CHECK(
      stmts(R"(rounds up to n until C { a() }
rounds 6 starting with dealer { b() }
rounds { c() })") ==
      R"(rounds_stmt(n C - [call_stmt(call'a'([]))]) rounds_stmt#1(6 - dealer [call_stmt(call'b'([]))]) rounds_stmt(- - - [call_stmt(call'c'([]))]))");
  CHECK(
      stmts(R"(x += 1; y -= 2; a.b[3] = 4; (opponent(me)).men -= c)") ==
      R"(assign_stmt'+='(x 1) assign_stmt'-='(y 2) assign_stmt'='(index(member'b'(a) 3) 4) assign_stmt'-='(member'men'(call'opponent'([arg(me)])) c))");
  CHECK(stmts(R"(with a { x() } otherwise { y() })") ==
        R"(with_stmt(a [call_stmt(call'x'([]))] [call_stmt(call'y'([]))]))");
  CHECK(stmts(R"(open W
open W(1)
draw(me, 2))") == R"(open_expr'W' open_expr'W'([arg(1)]) call_stmt(call'draw'([arg(me) arg(2)])))");
}

}   // namespace cardwright::parse_tests
