// Tests diagnostics for likely mistakes with lists, teams, `supposing`, and `by`.
#include "tests/sema/analysing.h"

namespace cardwright::sema_tests {

TEST_CASE("sema: lists contain elements of their declared type") {
  const std::string line = "table { line: list of player up to 3 }\n";
  CHECK(said(line + "event e(p: player) { line += p; line -= p; line = [p, p]; line[0] = p }") == "");
  CHECK(said(line + "event e(p: player) { line += 3 }").find("expected `player` for `an element`") !=
        std::string::npos);
  CHECK(said(line + "event e(p: player) { line = [p, p, p, p] }")
            .find("too many elements: found 4, but the list can have at most 3") != std::string::npos);
  CHECK(said(line + "event e() { players.gold += 1; line = others }").find("E0205") != std::string::npos);
  CHECK(said(line + "event e(p: player) { line += chief }").find("may be none") != std::string::npos);
  CHECK(said(line + "before e(line) { checkpoint }\nevent e(l: list of player up to 3) { take(l[0]) }") ==
        "23:10 E0401 a list can't be matched (bind it to a name and write a condition after `when`)");
  CHECK(said("player { l: list of player up to 3 }\nevent e() { players.l += chief }")
            .find("can only be assigned with `=`") != std::string::npos);
  CHECK(said("value v(p: player): bool = p in [p, p] + p").find("E03") == std::string::npos);
  CHECK(said(line + "value v(): bool = size(list of c for c in draw, d in draw, e in draw, f in draw, g in draw) > 3")
            .find("more than 1000 elements") != std::string::npos);
  const std::string m = printed(line +
                                "value v(p: player): int = size(line where it != p)\nevent e(p: player) { if p in line "
                                "and line is not empty then take(p, v(p)) }");
  CHECK(has(m, "in_list("));
}

TEST_CASE("sema: results of values, events and windows") {
  const std::string record = "record Purse { gold: 0..9 = 0, whose: player? = none }\nrecord Bare { n: 1..9 }\n";
  CHECK(said("event e(p: player): list of player up to 3 { return [p] }\nwindow w(p: player) { var l: list of player "
             "up to 2 = []\nask p or pass }\nevent f(p: player) { let l = e(p); let s = open w(p); if size(l) > "
             "size(s.l) then take(p) }")
            .find("E0") == std::string::npos);
  CHECK(said("window w(p: player): list of player up to 2 { ask p or pass; return [p] }\nevent f(p: player) { let l = "
             "open w(p); take(first of l); open w(p) }")
            .find("E0") == std::string::npos);
  CHECK(said("window w(p: player): list of player up to 2 { ask p or pass; return [p] }\nevent f(p: player) { if open "
             "w(p) then take(p) }")
            .find("E0301 expected a condition, found `list of player up to 2`") != std::string::npos);
  CHECK(said(record + "window w(p: player): Purse { ask p or pass; return Purse(1, p) }\nevent f(p: player) { let x = "
                      "open w(p); p.gold = x.gold; open w(p) }")
            .find("E0") == std::string::npos);
  CHECK(said(record + "window w(p: player): Purse { ask p or pass; return Purse(1, p) }\nevent f(p: player) { p.gold = "
                      "(open w(p)).gold }")
            .find("the record that a window returns must be stored with `let` before it is used") != std::string::npos);
  CHECK(said(record + "window w(p: player): Bare { ask p or pass }")
            .find("E0313 `w` returns a `Bare`, but without a `return` its `n` has no value") != std::string::npos);
  CHECK(said("sequence s(p: player): list of player up to 2 { yield [p] }\nevent e(p: player) { each l in s(p) { if "
             "size(l) > 1 then take(l[0]) } }") == "");
  CHECK(said(record + "event e(p: player): Purse { return Purse(1, p) }\nevent f(p: player) { let x = e(p); p.gold = "
                      "x.gold; e(p) }") == "");
  CHECK(said(record + "event e(p: player): Purse { return Purse(1, p) }\nevent f(p: player) { p.gold = e(p).gold }") ==
        "25:31 E0301 the record that an event returns must be stored with `let` before it is used (`let x = …`, "
        "then `x.…`)");
  CHECK(said(record + "event e(p: player): Bare { return Bare(1) }")
            .find("E0313 `e` returns a `Bare`, but without the event its `n` has no value") != std::string::npos);
  CHECK(said(record + "value v(p: player): Purse = Purse(p.gold, p)\nmodify v(p) by 3")
            .find("only numbers are changed `by`") != std::string::npos);
  CHECK(said(record + "value v(p: player): Purse = Purse(p.gold, p)\nfunction v(p: player): int = 3")
            .find("duplicate value `v`") != std::string::npos);
  CHECK(said("function f(p: player): int { let x = subsets(p.hand, 1..2)\nreturn 1 }")
            .find("E0403 the subsets of a set can be used only in a loop") != std::string::npos);
}

TEST_CASE("sema: lists of sets and of lists") {
  const std::string state =
      "player { piles: list of set of Thing up to 3\nrows: list of list of 0..9 up to 2 up to 3 }\n";
  CHECK(said(state +
             "event e(p: player, c: Thing) { p.piles += [c]; p.piles[0] += c; p.piles = [[c], p.hand]; if p.hand in "
             "p.piles then p.piles -= p.hand; p.rows += [1, 2]; p.rows[0][1] = 3; p.rows = p.rows + [[1], [2]] }")
            .find("E0") == std::string::npos);
  CHECK(said("table { l: set of set of player }") ==
        "22:12 E0301 a set can only contain single values, not `set of player` (use a list: `list of set of player up "
        "to 9`; `if x not in l then l += x` adds each value only once)");
  CHECK(said("table { l: list of list of set of player up to 2 up to 2 }")
            .find("E0301 inner lists can only contain single values, not `set of player`") != std::string::npos);
  CHECK(said("table { l: list of list of list of player up to 2 up to 2 up to 2 }")
            .find("E0301 inner lists can only contain single values, not `list of player up to 2`") !=
        std::string::npos);
  CHECK(said("table { l: list of set of card up to 300 }")
            .find("E0308 list too long: a list of `set of card` has at most 250 elements") != std::string::npos);
  CHECK(said("table { l: list of list of player up to 99 up to 99 }")
            .find("E0308 list too long: a list of `list of player up to 99` has at most 40 elements") !=
        std::string::npos);
  CHECK(said("event e(l: list of list of player up to 9 up to 9) { checkpoint }")
            .find("E0308 a list parameter can have at most 64 elements") != std::string::npos);
  CHECK(said(state + "event e(p: player) { p.piles += chief }").find("E0301") != std::string::npos);
  CHECK(said(state + "event e(p: player) { p.rows += [1, 2, 3] }")
            .find("E0304 too many elements: found 3, but the list can have at most 2") != std::string::npos);
  CHECK(said("event e() { let x = list of (list of c for c in draw) for d in draw }").find("E0308") ==
        std::string::npos);
}

TEST_CASE("sema: numbers with units") {
  const std::string units = "unit CL = 2\nunit h = 50 CL\n";
  CHECK(said(units + "const a = 1.5 CL\ntable { n: 0..3 CL = 0 }\nvalue v(x: CL): bool = x + 0.01 h == 1 + a and n in "
                     "0.5..2 CL") == "");
  CHECK(has(printed(units + "value v(): int = 1.5 CL + 3"), "6"));
  CHECK(said(units + "sequence s(): int { yield 2.5 CL }\nevent e() { move 1.5 CL cards from draw to discard; repeat "
                     "0.5 CL { checkpoint } }") == "");
  CHECK(said(units + "value v(): int = 1.25 CL") ==
        "24:18 E0315 `1.25 CL` is not an integer: a `CL` is 2, so the value is between 2 and 3 (write a multiple of "
        "1/2 CL)");
  CHECK(said(units + "value v(): int = 0.015 h")
            .find("E0315 `0.015 h` is not an integer: a `h` is 100, so the value is between 1 and 2") !=
        std::string::npos);
  CHECK(said(units + "value v(): int = 1.5 CM").find("E0201 unknown unit `CM`") != std::string::npos);
  CHECK(said(units + "value v(): bool = 1 in 0.5..2").find("E01") != std::string::npos);
  CHECK(said("const a = 1.5 + 2").find("E0109 `1.5` is not an integer") != std::string::npos);
  CHECK(said(units + "unit CL = 3").find("E0202 duplicate unit `CL`") != std::string::npos);
  CHECK(said("unit s = 3").find("E0202 `s` is a built-in unit of time") != std::string::npos);
  CHECK(said("unit a = 0").find("E0304 the worth of unit `a` must be at least 1") != std::string::npos);
  CHECK(said("unit a = 2 b\nunit b = 2 a").find("E0207") != std::string::npos);
  CHECK(said(units + "action go(ps: 2 players in others) in main { take(me) }").find("E0") == std::string::npos);
}

TEST_CASE("sema: the unit of a range applies to both ends, and to a column of a CSV file") {
  const std::string unit = "unit CL = 2000\n";
  CHECK(has(printed(unit + "table { n: -1..1 CL = 0 }"), "-2000..2000"));
  CHECK(has(printed(unit + "table { n: 1..2 CL = 1 CL }"), "2000..4000"));
  const auto from = [&](const std::string& csv, const std::string& types = "height: 0..4 CL") {
    return run({{"game.rules",
                 game(unit + "record Bounds { low: 0..9, high: -1..4 CL }\nenum Thing2 from \"t.csv\" { " + types +
                      " }\nvalue v(t: Thing2): int = t." + (types.starts_with("b") ? "b.high" : "height"))},
                {"t.csv", csv}});
  };
  CHECK(from("name,height\nbook,1\nlamp,1.5\n")->said() == "");
  CHECK(has(model::print(*from("name,height\nbook,1\nlamp,1.5\n")->model), "3000"));
  CHECK(has(model::print(*from("name,b.low,b.high\nbook,1,-0.5\nlamp,2,1\n", "b: Bounds")->model), "-1000"));
  CHECK(from("name,height\nbook,0.00001\n")->said() ==
        "t.csv:2:6 E0315 `0.00001` is not an integer: a `CL` is 2000, so the value is between 0 and 1 (write a "
        "multiple of 1/2000 CL)");
  CHECK(from("name,height\nbook,5\n")->said() ==
        "t.csv:2:6 E0307 value of `height` out of range; expected 0 to 8000, found 10000");
  CHECK(from("name,height\nbook,1.2.3\n")->said() ==
        "t.csv:2:6 E0307 `1.2.3` is not of type `0..8000`, which `height` has");
}

TEST_CASE("sema: functions that take rules are checked even if they are never called") {
  CHECK(said("function f(g: rule(player) -> int): int = g(chief)").find("E0302") != std::string::npos);
  CHECK(said("function f(g: rule(player) -> int, p: player): int = g(p) + wrong").find("E0201") != std::string::npos);
  CHECK(said("function f(g: rule(player) -> int, p: player): bool = g(p)").find("E0301 a `bool` is needed") !=
        std::string::npos);
  CHECK(said("function f(g: rule(player) -> int, p: player): int = h(g, p)\nfunction h(g: rule(player) -> int, p: "
             "player): int = g(3)")
            .find("E0301") != std::string::npos);
  CHECK(said("function f(g: rule(payer) -> int): int = 3").find("unknown type `payer`") != std::string::npos);
  CHECK(
      said("sequence s(g: rule(player) -> bool): player { each p in everyone { if g(p) then yield p } }").find("E0") ==
      std::string::npos);
  CHECK(printed("function f(g: rule(player) -> int, p: player): int = g(p)").find("function f") == std::string::npos);
}

TEST_CASE("sema: rules as arguments") {
  const std::string total =
      "function total(s: set of Thing, f: rule(Thing) -> int, n: int = 1): int = sum of f(c) * n for c in s\nfunction "
      "pay(p: player, c: Thing): int = c.worth + p.gold\n";
  CHECK(said(total + "value v(p: player): int = total(p.hand, pay(p, _)) + total(p.table, pay(p, _), n: 2)") == "");
  CHECK(said(total + "value v(p: player): int = total(p.hand, pay)")
            .find("E0309 expected a rule with 1 open argument, but `pay` has 2") != std::string::npos);
  CHECK(said(total + "value v(p: player): int = total(p.hand, 3)").find("E0301 expected a rule") != std::string::npos);
  CHECK(said(total + "value v(p: player): int = total(p.hand, pya(p, _))")
            .find("E0201 unknown value or function `pya` (did you mean `pay`?)") != std::string::npos);
  CHECK(said(total + "value v(p: player): int = total(p.hand)").find("E0309 `total` is missing the argument `f`") !=
        std::string::npos);
  CHECK(said(total + "function who(c: Thing): player = first of players\nvalue v(p: player): int = total(p.hand, who)")
            .find("expected a rule that returns `int`") != std::string::npos);
  CHECK(said(total + "function seat_in(p: player): int = 3\nvalue v(p: player): int = total(p.hand, seat_in)")
            .find("expected a rule that takes a `Thing`, but `seat_in` takes a `player`") != std::string::npos);
  CHECK(said("event e(f: rule(player) -> int) { checkpoint }").find("E0301 a rule is not a value") !=
        std::string::npos);
  CHECK(said("function f(g: rule(player) -> int): int = g(chief, chief)\nfunction h(p: player): int = 2\nvalue v: int "
             "= f(h)")
            .find("rule `g` takes 1 argument, found 2") != std::string::npos);
}

TEST_CASE("sema: areas of players and initial contents of zones") {
  const std::string baskets =
      "player { area basket x 2 { zone fruit: pile, faceup\nzone note: slot, owner\nfull: 0..9 = 0\ncode: 0..5 = 0, "
      "secret } }\n";
  CHECK(said(baskets + "event e(p: player, b: basket) { b.full = size(p.baskets); p.basket[2].full = 1; b.owner.gold = "
                       "1; each x in baskets where owner == p { x.full = 0 } }") == "");
  CHECK(said(baskets + "event e(p: player) { basket[1].full = 1 }").find("whose `basket` (write `p.basket[1]`)") !=
        std::string::npos);
  CHECK(said(baskets + "event e(p: player) { p.basket.full = 1 }")
            .find("which `basket` (`p.basket[1]` is the first, `p.baskets` are all of them)") != std::string::npos);
  CHECK(said(baskets + "event e(p: player) { p.basket[3].full = 1 }").find("E0") != std::string::npos);
  CHECK(said(baskets + "event e(p: player) { chief.basket[1].full = 1 }").find("this player may be none") !=
        std::string::npos);
  CHECK(said("player { area basket x 30 { n: 0..9 = 0 } }")
            .find("number of parts out of range; the limit is 61, found 90 with 3 players") != std::string::npos);
  CHECK(said("player { area hand x 2 { n: 0..9 = 0 } }").find("`hand` is a zone of players too") != std::string::npos);
  CHECK(said("table { area nest x 2 { zone egg: slot, owner } }").find("a zone of the table can't be `owner`") !=
        std::string::npos);
  CHECK(said("player { zone purse: public, starts with 2 Stone, starts with 1 Thing(colour: blue) }").find("E0") ==
        std::string::npos);
  CHECK(said("player { zone purse: public, starts with 2 }")
            .find("expected a number and a card after `starts with` (`starts with 2 Coin`)") != std::string::npos);
  CHECK(said("player { zone purse: public, starts with 2000 Leaf }")
            .find("too many cards: 2000 cards in 3 zones, but a game can have at most 4096") != std::string::npos);
  CHECK(said("player { zone purse: public, starts with 2 Loaf }").find("unknown card `Loaf` (did you mean `Leaf`?)") !=
        std::string::npos);
}

TEST_CASE("sema: teams") {
  CHECK(said("teams [1, 3], [2]\nteam { score: 0..9 = 0 }\nevent e(p: player) { p.team.score = 1 }") == "");
  CHECK(said("teams [1, 2], [2, 3]").find("E0314 seat 2 is in two teams") != std::string::npos);
  CHECK(said("teams [1, 2]").find("E0314 with 3 players, seat 3 is not in a team") != std::string::npos);
  CHECK(said("teams [1, 2], [3, 4]").find("E0314 unknown seat 4 with 3 players") != std::string::npos);
  CHECK(said("team { score: 0..9 = 0 }").find("E0314 the game has no teams") != std::string::npos);
  CHECK(said("player { zone bag: team }").find("E0314 the game has no teams") != std::string::npos);
  CHECK(said("teams each\ntable { zone bag: team }").find("a zone of the table can't be `team`") != std::string::npos);
  CHECK(said("function f(t: team): int = 1").find("E0314 the game has no teams") != std::string::npos);
  CHECK(said("teams each\nteams each").find("duplicate `teams`") != std::string::npos);
  CHECK(said("teams each\nevent e(p: player) { winners p.team }") == "");
}

TEST_CASE("sema: `supposing`") {
  CHECK(said("value v(p: player): bool = supposing e(p) holds (p.gold > 3)\nevent e(p: player) { p.gold = 3 }") == "");
  CHECK(said("value v(p: player): bool = supposing take(p) holds (p.gold > 3)")
            .find("E0411 this event can't be supposed, because cards are drawn at random") != std::string::npos);
  CHECK(said("value v(p: player): bool = supposing e(p) holds (p.gold > 3)\nevent e(p: player) { p chooses c from "
             "p.table; move c to p.hand }")
            .find("a player makes a decision") != std::string::npos);
  CHECK(said("value v(p: player): bool = supposing w(p) holds (p.gold > 3)\nfunction w(p: player): int = 3")
            .find("E0411 expected an event after `supposing`") != std::string::npos);
  CHECK(said("value v(p: player): bool = supposing e(p) holds (p.gold > 3)\nevent e(p: player) { if u(p) then p.gold = "
             "3 }\nvalue u(p: player): bool = supposing f(p) holds (p.gold > 4)\nevent f(p: player) { p.gold = 1 }")
            .find("it contains another `supposing`") != std::string::npos);
  // One card at a time lies in the order in which it came; several that are put face down are drawn.
  const std::string pile =
      "table { zone nest: pile, faceup }\nvalue v(p: player): bool = supposing e(p) holds (p.gold > 3)\nevent e(p: "
      "player) { move top of nest to p.hand }\n";
  CHECK(said(pile + "event f(p: player) { move first of p.hand to nest facedown }") == "");
  CHECK(said(pile + "event f(p: player) { move p.hand to nest facedown }").find("cards are drawn at random") !=
        std::string::npos);
}

TEST_CASE("sema: `by`") {
  CHECK(said("action a in main by chief { me.gold = 1 }\nafter a by q { q.gold = 2 }\nbefore a by players where gold > "
             "1 { me.gold = 0 }") == "");
  CHECK(said("after take(p, n) by q { q.gold = 1 }").find("E0401 `take` is not an action, so `by` can't be used") !=
        std::string::npos);
  CHECK(said("action a in main by 3 { me.gold = 1 }").find("expected a player or a set of players after `by`") !=
        std::string::npos);
  CHECK(said("action a in main { actor.gold = 1 }").find("unknown name `actor`") != std::string::npos);
}

}   // namespace cardwright::sema_tests
