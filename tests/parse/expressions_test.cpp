// Tests that expressions produce the nodes specified in compiler/ast/nodes.def, with the specified precedence.
#include "tests/parse/parsing.h"

namespace cardwright::parse_tests {

TEST_CASE("parse: expressions") {
  CHECK(expr(R"(-a * b + c - d / e mod f)") ==
        R"(binary'-'(binary'+'(binary'*'(unary'-'(a) b) c) binary'mod'(binary'/'(d e) f)))");
  CHECK(expr(R"(a..b - 1)") == R"(range_lit(a binary'-'(b 1)))");
  CHECK(expr(R"(a == 1 or b and c)") == R"(binary'or'(binary'=='(a 1) binary'and'(b c)))");
  CHECK(expr(R"(not a in b and c not in d)") == R"(binary'and'(unary'not'(binary'in'(a b)) binary'not in'(c d)))");
  CHECK(expr(R"(x is not none)") == R"(is_expr'none'#1(x))");
  CHECK(expr(R"(x is in or y is out)") == R"(binary'or'(is_expr'in'(x) is_expr'out'(y)))");
  CHECK(expr(R"(p is Classmate or Sibling)") == R"(is_expr(p Classmate Sibling))");
  CHECK(expr(R"(p is Classmate or q is Sibling)") == R"(binary'or'(is_expr(p Classmate) is_expr(q Sibling)))");
  CHECK(expr(R"(p is Classmate or Sibling.x == 1)") ==
        R"(binary'or'(is_expr(p Classmate) binary'=='(member'x'(Sibling) 1)))");
  CHECK(expr(R"(a or else b or else if c then d else e + 1)") ==
        R"(binary'or else'(binary'or else'(a b) if_expr(c d binary'+'(e 1))))");
  CHECK(expr(R"(if a then b else if c then d else e)") == R"(if_expr(a b if_expr(c d e)))");
  CHECK(expr(R"(players where not folded)") == R"(where_expr(players unary'not'(folded)))");
  CHECK(expr(R"(S with most E, then least F)") == R"(best_expr#2(S E F))");
  CHECK(expr(R"(S where x with fewest y)") == R"(best_expr#1(where_expr(S x) y))");
  CHECK(expr(R"(players clockwise from p)") == R"(clockwise_expr(players p))");
  CHECK(expr(R"(any p in players has p.hand is empty)") ==
        R"(quantifier'any'(players is_expr'empty'(member'hand'(p)) p))");
  CHECK(expr(R"(any p in players where p.in_game has p.x or p.y)") ==
        R"(quantifier'any'(players binary'or'(member'x'(p) member'y'(p)) p member'in_game'(p)))");
  CHECK(expr(R"(a and no c in S has c == 1)") == R"(binary'and'(a quantifier'no'(S binary'=='(c 1) c)))");
  CHECK(expr(R"(every player is Sibling and size(players) == 1)") ==
        R"(binary'and'(quantifier_is'every'(player is_expr(it Sibling)) binary'=='(size_of(players) 1)))");
  CHECK(expr(R"(no player is Classmate or Sibling)") == R"(quantifier_is'no'(player is_expr(it Classmate Sibling)))");
  CHECK(expr(R"(the player where role == X)") == R"(quantifier_is'the'(player binary'=='(role X)))");
  CHECK(expr(R"(the p in players where p.x)") == R"(quantifier'the'(players member'x'(p) p))");
  CHECK(expr(R"(sum of E for x in S where C)") == R"(aggregate'sum'(E [gen'x'(S)] C))");
  CHECK(expr(R"((sum of p.kills for p in t.players) >= 3)") ==
        R"(binary'>='(aggregate'sum'(member'kills'(p) [gen'p'(member'players'(t))]) 3))");
  CHECK(expr(R"(sum of x for x in S == 3)") == R"(binary'=='(aggregate'sum'(x [gen'x'(S)]) 3))");
  CHECK(expr(R"(sum of 1 for x in S, y in T where x < y)") ==
        R"(aggregate'sum'(1 [gen'x'(S) gen'y'(T)] binary'<'(x y)))");
  CHECK(expr(R"(list of run(s, n) for n in 3..k, s in Suit)") ==
        R"(aggregate'list'(call'run'([arg(s) arg(n)]) [gen'n'(range_lit(3 k)) gen's'(Suit)]))");
  CHECK(expr(R"(least of points(h - u) for u in packings(h))") ==
        R"(aggregate'least'(call'points'([arg(binary'-'(h u))]) [gen'u'(call'packings'([arg(h)]))]))");
  CHECK(expr(R"(sum of size(p.cup where face == f) for p in players)") ==
        R"(aggregate'sum'(size_of(where_expr(member'cup'(p) binary'=='(face f))) [gen'p'(players)]))");
  CHECK(expr(R"(f(sum of 1 for x in S, 3))") == R"(call'f'([arg(aggregate'sum'(1 [gen'x'(S)])) arg(3)]))");
  CHECK(expr(R"(size(players) + size(x in S where C))") == R"(binary'+'(size_of(players) size_of(x S C)))");
  CHECK(expr(R"(subsets(French, 3..4))") == R"(subsets(French 3 4))");
  CHECK(expr(R"(first of (S with most a))") == R"(pick'first'(best_expr(S a)))");
  CHECK(expr(R"(index of x + only of y + random of S)") ==
        R"(binary'+'(binary'+'(pick'index'(x) pick'only'(y)) pick'random'(S)))");
  CHECK(expr(R"((top of discard).rank)") == R"(member'rank'(top_expr'top'(- discard)))");
  CHECK(expr(R"(top 2 of draw)") == R"(top_expr'top'(2 draw))");
  CHECK(expr(R"(top n of draw)") == R"(top_expr'top'(n draw))");
  CHECK(expr(R"(top size(players) of draw)") == R"(top_expr'top'(size_of(players) draw))");
  CHECK(expr(R"(card of trick.leader.played)") == R"(pick'card'(member'played'(member'leader'(trick))))");
  CHECK(expr(R"(roll 1..6)") == R"(roll_expr(range_lit(1 6)))");
  CHECK(expr(R"(open W(a) and not open V)") == R"(binary'and'(open_expr'W'([arg(a)]) unary'not'(open_expr'V')))");
  CHECK(expr(R"(flip(me).icon == Ducky)") == R"(binary'=='(member'icon'(call'flip'([arg(me)])) Ducky))");
  CHECK(expr(R"(x[i, j].y(3))") == R"(call([arg(3)] member'y'(index(x i j))))");
  CHECK(expr(R"(draw(by, from, to: by))") == R"(call'draw'([arg(by) arg(from) arg'to'(by)]))");
  CHECK(expr(R"([a, b] + [])") == R"(binary'+'(list_lit(a b) list_lit))");
  CHECK(expr(R"(s within t or s disjoint from u)") == R"(binary'or'(binary'within'(s t) binary'disjoint from'(s u)))");
  CHECK(expr(R"(me knows c)") == R"(knows_expr(me c))");
  CHECK(expr(R"(supposing hoist(o, c) holds fine())") == R"(supposing(call'hoist'([arg(o) arg(c)]) call'fine'([])))");
  CHECK(expr(R"(during shot and true)") == R"(binary'and'(during_expr'shot' truth#1))");
  CHECK(expr(R"(may "Sure?" or p may "Sure?")") ==
        R"(binary'or'(may_expr'Sure?'(- string'Sure?') may_expr'Sure?'(p string'Sure?')))");
  CHECK(expr(R"(most < least and top > 3 and first == last)") ==
        R"(binary'and'(binary'and'(binary'<'(most least) binary'>'(top 3)) binary'=='(first last)))");
  CHECK(expr(R"(by.hand + from.hand + to)") == R"(binary'+'(binary'+'(member'hand'(by) member'hand'(from)) to))");
  CHECK(expr(R"(unlimited)") == R"(unlimited_lit)");
  CHECK(expr(R"("a {if x then "Call" else "Check"} b")") == R"(string'a {if x then "Call" else "Check"} b')");
}

}   // namespace cardwright::parse_tests
