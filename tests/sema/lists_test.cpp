// Tests diagnostics for likely mistakes with lists, teams, `supposing`, and `by`.
#include "tests/support/analyze.h"

namespace cardwright::sema_tests {

TEST_CASE("sema: lists contain elements of their declared type") {
  const std::string line = "table { line: list of player up to 3 }\n";
  CHECK(messages(line + "event e(p: player) { line += p; line -= p; line = [p, p]; line[0] = p }") == "");
  CHECK(has(messages(line + "event e(p: player) { line += 3 }"), "expected `player` for `an element`"));
  CHECK(has(messages(line + "event e(p: player) { line = [p, p, p, p] }"),
            "too many elements: found 4, but the list can have at most 3"));
  CHECK(has(messages(line + "event e() { players.gold += 1; line = others }"), "E0205"));
  CHECK(has(messages(line + "event e(p: player) { line += chief }"), "may be none"));
  CHECK(messages(line + "before e(line) { checkpoint }\nevent e(l: list of player up to 3) { take(l[0]) }") ==
        "23:10 E0401 a list can't be matched (bind it to a name and write a condition after `when`)");
  CHECK(has(messages("player { l: list of player up to 3 }\nevent e() { players.l += chief }"),
            "can only be assigned to several players with `=`"));
  CHECK(messages("value v(p: player): bool = p in [p, p] + p").find("E03") == std::string::npos);
  CHECK(has(messages(line +
                     "value v(): bool = size(list of c for c in draw, d in draw, e in draw, f in draw, g in draw) > 3"),
            "more than 1000 elements"));
  const std::string m = printed(line +
                                "value v(p: player): int = size(line where it != p)\nevent e(p: player) { if p in line "
                                "and line is not empty then take(p, v(p)) }");
  CHECK(has(m, "in_list("));
}

TEST_CASE("sema: results of values, events and windows") {
  const std::string record = "record Purse { gold: 0..9 = 0, whose: player? = none }\nrecord Bare { n: 1..9 }\n";
  CHECK(
      messages("event e(p: player): list of player up to 3 { return [p] }\nwindow w(p: player) { var l: list of player "
               "up to 2 = []\nask p or pass }\nevent f(p: player) { let l = e(p); let s = open w(p); if size(l) > "
               "size(s.l) then take(p) }")
          .find("E0") == std::string::npos);
  CHECK(messages(
            "window w(p: player): list of player up to 2 { ask p or pass; return [p] }\nevent f(p: player) { let l = "
            "open w(p); take(first of l); open w(p) }")
            .find("E0") == std::string::npos);
  CHECK(
      has(messages(
              "window w(p: player): list of player up to 2 { ask p or pass; return [p] }\nevent f(p: player) { if open "
              "w(p) then take(p) }"),
          "E0301 expected a condition, found `list of player up to 2`"));
  CHECK(messages(record +
                 "window w(p: player): Purse { ask p or pass; return Purse(1, p) }\nevent f(p: player) { let x = "
                 "open w(p); p.gold = x.gold; open w(p) }")
            .find("E0") == std::string::npos);
  CHECK(has(messages(record +
                     "window w(p: player): Purse { ask p or pass; return Purse(1, p) }\nevent f(p: player) { p.gold = "
                     "(open w(p)).gold }"),
            "the record that a window returns must be stored with `let` before it is used"));
  CHECK(has(messages(record + "window w(p: player): Bare { ask p or pass }"),
            "E0313 `w` returns `Bare`, whose field `n` has no value if the window closes without a `return`"));
  CHECK(
      messages("sequence s(p: player): list of player up to 2 { yield [p] }\nevent e(p: player) { each l in s(p) { if "
               "size(l) > 1 then take(l[0]) } }") == "");
  CHECK(messages(record +
                 "event e(p: player): Purse { return Purse(1, p) }\nevent f(p: player) { let x = e(p); p.gold = "
                 "x.gold; e(p) }") == "");
  CHECK(messages(record +
                 "event e(p: player): Purse { return Purse(1, p) }\nevent f(p: player) { p.gold = e(p).gold }") ==
        "25:31 E0301 the record that an event returns must be stored with `let` before it is used (`let x = …`, "
        "then `x.…`)");
  CHECK(has(messages(record + "event e(p: player): Bare { return Bare(1) }"),
            "E0313 `e` returns `Bare`, whose field `n` has no value if the event does not happen"));
  CHECK(has(messages(record + "value v(p: player): Purse = Purse(p.gold, p)\nmodify v(p) by 3"),
            "`v` has type `Purse`, but `by`, `at least` and `at most` only apply to integers"));
  CHECK(has(messages(record + "value v(p: player): Purse = Purse(p.gold, p)\nfunction v(p: player): int = 3"),
            "duplicate value `v`"));
  CHECK(has(messages("function f(p: player): int { let x = subsets(p.hand, 1..2)\nreturn 1 }"),
            "E0403 the subsets of a set can be used only in a loop"));
}

TEST_CASE("sema: lists of sets and of lists") {
  const std::string state =
      "player { piles: list of set of Thing up to 3\nrows: list of list of 0..9 up to 2 up to 3 }\n";
  CHECK(
      messages(state +
               "event e(p: player, c: Thing) { p.piles += [c]; p.piles[0] += c; p.piles = [[c], p.hand]; if p.hand in "
               "p.piles then p.piles -= p.hand; p.rows += [1, 2]; p.rows[0][1] = 3; p.rows = p.rows + [[1], [2]] }")
          .find("E0") == std::string::npos);
  CHECK(messages("table { l: set of set of player }") ==
        "22:12 E0301 a set can only contain single values, not `set of player` (use a list: `list of set of player up "
        "to 9`; `if x not in l then l += x` adds each value only once)");
  CHECK(has(messages("table { l: list of list of set of player up to 2 up to 2 }"),
            "E0301 inner lists can only contain single values, not `set of player`"));
  CHECK(has(messages("table { l: list of list of list of player up to 2 up to 2 up to 2 }"),
            "E0301 inner lists can only contain single values, not `list of player up to 2`"));
  CHECK(has(messages("table { l: list of set of card up to 300 }"),
            "E0308 list too long: a list of `set of card` has at most 250 elements"));
  CHECK(has(messages("table { l: list of list of player up to 99 up to 99 }"),
            "E0308 list too long: a list of `list of player up to 99` has at most 40 elements"));
  CHECK(has(messages("event e(l: list of list of player up to 9 up to 9) { checkpoint }"),
            "E0308 a list parameter can have at most 64 elements"));
  CHECK(has(messages(state + "event e(p: player) { p.piles += chief }"), "E0301"));
  CHECK(has(messages(state + "event e(p: player) { p.rows += [1, 2, 3] }"),
            "E0304 too many elements: found 3, but the list can have at most 2"));
  CHECK(messages("event e() { let x = list of (list of c for c in draw) for d in draw }").find("E0308") ==
        std::string::npos);
}

TEST_CASE("sema: numbers with units") {
  const std::string units = "unit CL = 2\nunit h = 50 CL\n";
  CHECK(messages(units +
                 "const a = 1.5 CL\ntable { n: 0..3 CL = 0 }\nvalue v(x: CL): bool = x + 0.01 h == 1 + a and n in "
                 "0.5..2 CL") == "");
  CHECK(has(printed(units + "value v(): int = 1.5 CL + 3"), "6"));
  CHECK(messages(units +
                 "sequence s(): int { yield 2.5 CL }\nevent e() { move 1.5 CL cards from draw to discard; repeat "
                 "0.5 CL { checkpoint } }") == "");
  CHECK(messages(units + "value v(): int = 1.25 CL") ==
        "24:18 E0315 `1.25 CL` is not an integer: one `CL` is 2, so the value is between 2 and 3 (write a multiple of "
        "1/2 CL)");
  CHECK(has(messages(units + "value v(): int = 0.015 h"),
            "E0315 `0.015 h` is not an integer: one `h` is 100, so the value is between 1 and 2"));
  CHECK(has(messages(units + "value v(): int = 1.5 CM"), "E0201 unknown unit `CM`"));
  CHECK(has(messages(units + "value v(): bool = 1 in 0.5..2"), "E01"));
  CHECK(has(messages("const a = 1.5 + 2"), "E0109 `1.5` is not an integer"));
  CHECK(has(messages(units + "unit CL = 3"), "E0202 duplicate unit `CL`"));
  CHECK(has(messages("unit s = 3"), "E0202 `s` is a built-in unit of time"));
  CHECK(has(messages("unit a = 0"), "E0304 the value of unit `a` must be at least 1"));
  CHECK(has(messages("unit a = 2 b\nunit b = 2 a"), "E0207"));
  CHECK(messages(units + "action go(ps: 2 players in others) in main { take(me) }").find("E0") == std::string::npos);
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
  CHECK(from("name,height\nbook,1\nlamp,1.5\n")->messages() == "");
  CHECK(has(model::print(*from("name,height\nbook,1\nlamp,1.5\n")->model), "3000"));
  CHECK(has(model::print(*from("name,b.low,b.high\nbook,1,-0.5\nlamp,2,1\n", "b: Bounds")->model), "-1000"));
  CHECK(from("name,height\nbook,0.00001\n")->messages() ==
        "t.csv:2:6 E0315 `0.00001` is not an integer: one `CL` is 2000, so the value is between 0 and 1 (write a "
        "multiple of 1/2000 CL)");
  CHECK(from("name,height\nbook,5\n")->messages() ==
        "t.csv:2:6 E0307 value of `height` out of range; expected 0 to 8000, found 10000");
  CHECK(from("name,height\nbook,1.2.3\n")->messages() ==
        "t.csv:2:6 E0307 `1.2.3` is not of type `0..8000`, the type of `height` (write a number such as `1000` or "
        "`1.5`, without thousands separators)");
}

TEST_CASE("sema: functions that take rules are checked even if they are never called") {
  CHECK(has(messages("function f(g: rule(player) -> int): int = g(chief)"), "E0302"));
  CHECK(has(messages("function f(g: rule(player) -> int, p: player): int = g(p) + wrong"), "E0201"));
  CHECK(has(messages("function f(g: rule(player) -> int, p: player): bool = g(p)"),
            "E0301 expected `bool` for `f`, found `int`"));
  CHECK(has(
      messages("function f(g: rule(player) -> int, p: player): int = h(g, p)\nfunction h(g: rule(player) -> int, p: "
               "player): int = g(3)"),
      "E0301"));
  CHECK(has(messages("function f(g: rule(payer) -> int): int = 3"), "unknown type `payer`"));
  CHECK(messages("sequence s(g: rule(player) -> bool): player { each p in everyone { if g(p) then yield p } }")
            .find("E0") == std::string::npos);
  CHECK(printed("function f(g: rule(player) -> int, p: player): int = g(p)").find("function f") == std::string::npos);
}

TEST_CASE("sema: rules as arguments") {
  const std::string total =
      "function total(s: set of Thing, f: rule(Thing) -> int, n: int = 1): int = sum of f(c) * n for c in s\nfunction "
      "pay(p: player, c: Thing): int = c.worth + p.gold\n";
  CHECK(messages(total + "value v(p: player): int = total(p.hand, pay(p, _)) + total(p.table, pay(p, _), n: 2)") == "");
  CHECK(has(messages(total + "value v(p: player): int = total(p.hand, pay)"),
            "E0309 expected a rule with 1 open argument, but `pay` has 2"));
  CHECK(has(messages(total + "value v(p: player): int = total(p.hand, 3)"), "E0301 expected a rule"));
  CHECK(has(messages(total + "value v(p: player): int = total(p.hand, pya(p, _))"),
            "E0201 unknown value or function `pya` (did you mean `pay`?)"));
  CHECK(has(messages(total + "value v(p: player): int = total(p.hand)"), "E0309 `total` is missing the argument `f`"));
  CHECK(has(messages(total +
                     "function who(c: Thing): player = first of players\nvalue v(p: player): int = total(p.hand, who)"),
            "expected a rule that returns `int`"));
  CHECK(has(messages(total + "function seat_in(p: player): int = 3\nvalue v(p: player): int = total(p.hand, seat_in)"),
            "expected a rule that takes `Thing`, but `seat_in` takes `player`"));
  CHECK(has(messages("event e(f: rule(player) -> int) { checkpoint }"), "E0301 a rule is not a value"));
  CHECK(
      has(messages(
              "function f(g: rule(player) -> int): int = g(chief, chief)\nfunction h(p: player): int = 2\nvalue v: int "
              "= f(h)"),
          "rule `g` takes 1 argument, found 2"));
}

TEST_CASE("sema: areas of players and initial contents of zones") {
  const std::string baskets =
      "player { area basket x 2 { zone fruit: pile, faceup\nzone note: slot, owner\nfull: 0..9 = 0\ncode: 0..5 = 0, "
      "secret } }\n";
  CHECK(messages(baskets +
                 "event e(p: player, b: basket) { b.full = size(p.baskets); p.basket[2].full = 1; b.owner.gold = "
                 "1; each x in baskets where owner == p { x.full = 0 } }") == "");
  CHECK(has(messages(baskets + "event e(p: player) { basket[1].full = 1 }"),
            "no player in scope for `basket` (write `p.basket[1]`)"));
  CHECK(has(
      messages(baskets + "event e(p: player) { p.basket.full = 1 }"),
      "each player has several `basket`; an index is missing (`p.basket[1]` is the first, and `p.baskets` are all of "
      "them)"));
  CHECK(has(messages(baskets + "event e(p: player) { p.basket[3].full = 1 }"), "E0"));
  CHECK(has(messages(baskets + "event e(p: player) { chief.basket[1].full = 1 }"), "this player may be none"));
  CHECK(has(messages("player { area basket x 30 { n: 0..9 = 0 } }"),
            "number of parts out of range; the limit is 61, found 90 with 3 players"));
  CHECK(
      has(messages("player { area hand x 2 { n: 0..9 = 0 } }"), "duplicate name `hand`: it is also a zone of players"));
  CHECK(has(messages("table { area nest x 2 { zone egg: slot, owner } }"), "a zone of the table can't be `owner`"));
  CHECK(messages("player { zone purse: public, starts with 2 Stone, starts with 1 Thing(colour: blue) }").find("E0") ==
        std::string::npos);
  CHECK(has(messages("player { zone purse: public, starts with 2 }"),
            "expected a number and a card after `starts with` (`starts with 2 Coin`)"));
  CHECK(has(messages("player { zone purse: public, starts with 2000 Leaf }"),
            "too many cards: 2000 cards in 3 zones, but a game can have at most 4096"));
  CHECK(
      has(messages("player { zone purse: public, starts with 2 Loaf }"), "unknown card `Loaf` (did you mean `Leaf`?)"));
}

TEST_CASE("sema: teams") {
  CHECK(messages("teams [1, 3], [2]\nteam { score: 0..9 = 0 }\nevent e(p: player) { p.team.score = 1 }") == "");
  CHECK(has(messages("teams [1, 2], [2, 3]"), "E0314 seat 2 is in two teams"));
  CHECK(has(messages("teams [1, 2]"), "E0314 with 3 players, seat 3 is not in a team"));
  CHECK(has(messages("teams [1, 2], [3, 4]"), "E0314 unknown seat 4 with 3 players"));
  CHECK(has(messages("team { score: 0..9 = 0 }"), "E0314 the game has no teams"));
  CHECK(has(messages("player { zone bag: team }"), "E0314 the game has no teams"));
  CHECK(has(messages("teams each\ntable { zone bag: team }"), "a zone of the table can't be `team`"));
  CHECK(has(messages("function f(t: team): int = 1"), "E0314 the game has no teams"));
  CHECK(has(messages("teams each\nteams each"), "duplicate `teams`"));
  CHECK(messages("teams each\nevent e(p: player) { winners p.team }") == "");
}

TEST_CASE("sema: `supposing`") {
  CHECK(messages("value v(p: player): bool = supposing e(p) holds (p.gold > 3)\nevent e(p: player) { p.gold = 3 }") ==
        "");
  CHECK(has(messages("value v(p: player): bool = supposing take(p) holds (p.gold > 3)"),
            "E0411 this event can't be supposed, because cards are drawn at random"));
  CHECK(has(
      messages("value v(p: player): bool = supposing e(p) holds (p.gold > 3)\nevent e(p: player) { p chooses c from "
               "p.table; move c to p.hand }"),
      "a player makes a decision"));
  CHECK(has(messages("value v(p: player): bool = supposing w(p) holds (p.gold > 3)\nfunction w(p: player): int = 3"),
            "E0411 expected an event after `supposing`"));
  CHECK(has(
      messages(
          "value v(p: player): bool = supposing e(p) holds (p.gold > 3)\nevent e(p: player) { if u(p) then p.gold = "
          "3 }\nvalue u(p: player): bool = supposing f(p) holds (p.gold > 4)\nevent f(p: player) { p.gold = 1 }"),
      "it contains another `supposing`"));
  // A single card needs no order; several cards that move face down onto a pile get a random order.
  const std::string pile =
      "table { zone nest: pile, faceup }\nvalue v(p: player): bool = supposing e(p) holds (p.gold > 3)\nevent e(p: "
      "player) { move top of nest to p.hand }\n";
  CHECK(messages(pile + "event f(p: player) { move first of p.hand to nest facedown }") == "");
  CHECK(has(messages(pile + "event f(p: player) { move p.hand to nest facedown }"), "cards are drawn at random"));
}

TEST_CASE("sema: `by`") {
  CHECK(messages(
            "action a in main by chief { me.gold = 1 }\nafter a by q { q.gold = 2 }\nbefore a by players where gold > "
            "1 { me.gold = 0 }") == "");
  CHECK(has(messages("after take(p, n) by q { q.gold = 1 }"), "E0401 `take` is not an action, so `by` can't be used"));
  CHECK(has(messages("action a in main by 3 { me.gold = 1 }"), "expected a player or a set of players after `by`"));
  CHECK(has(messages("action a in main { actor.gold = 1 }"), "unknown name `actor`"));
}

}   // namespace cardwright::sema_tests
