// Tests that an expression of a card type accepts only cards of that type: rejected cards, and conditions that narrow
// the type of a card.
#include "tests/support/analyze.h"

namespace cardwright::sema_tests {

namespace {

std::string in_port(const std::string& rules) {
  return run({{"game.rules",
               "game \"T\"\nplayers 2\nenum Flag { blue, white }\nenum Wind { north, south }\n"
               "card type Paper\n"
               "card type Ship: Paper { guns: 0..9 = 1; tons: 1..9 = 3; fast: bool = true; flags: set of Flag }\n"
               "card type Port: Paper { depth: 1..9 = 4; tons: 1..9 = 8 }\n"
               "card Sloop: Ship\ncard Frigate: Ship\ncard Cadiz: Port\n"
               "deck Papers: Paper into chest { Sloop x 3, Frigate x 2, Cadiz x 3 }\n"
               "deck Wrecks: Ship into reef { Sloop x 2 }\n"
               "record Squadron { lead: Ship? = none, size: 0..9 = 0 }\n"
               "area dock x 2 { zone moored: public; length: 0..9 = 0 }\narea crane x 3 { load: 0..9 = 0 }\n"
               "player { zone bay: public; gold: 0..99 = 0; flagship: Ship? = none; fleet: set of Ship; "
               "line: list of Ship up to 4; pier: dock = dock[1] }\n"
               "table { zone chest: pile, facedown; zone reef: pile, faceup; zone sunk: pile, faceup; paper: Paper? = "
               "none; mended: bool per Ship = false; main_fleet: Squadron; n: 0..9 = 0; wind: Wind = north }\n"
               "event fire(s: Ship) { n = s.guns }\nevent sail(ss: set of Ship) { n = size(ss) }\n"
               "event lengthen(d: dock) { d.length = 1 }\nevent count(k: 0..9) { n = k }\n"
               "function guns_of(s: Ship): int = s.guns\nfunction is_sloop(s: Sloop): bool = true\n"
               "setup { shuffle chest; deal 2 from chest to each bay }\n"   // `chest` contains Ships and Ports
               "play { turns clockwise from first of players up to 4 { phase main { ask active or pass } } }\n"
               "end when play is over { winners nobody }\n" +
                   rules + "\n"}})
      ->messages();
}

// Returns the messages about a statement in an event with a parameter `c` of type Paper, the base type of all cards.
std::string with_card(const std::string& statement) {
  return in_port("event e(p: player, c: Paper) { " + statement + " }");
}

}   // namespace

TEST_CASE("types: a card of a base type is rejected where a derived type is declared", "[types]") {
  for (const char* statement : {"fire(c)",
                                "n = guns_of(c)",
                                "p.flagship = c",
                                "p.fleet += c",
                                "p.fleet = p.bay",
                                "p.fleet = [c]",
                                "sail([c, c])",
                                "sail(p.bay)",
                                "mended[c] = true",
                                "if mended[c] then n = 1",
                                "p.line += c",
                                "p.line = [c]",
                                "p.line = list of x for x in p.bay",
                                "let s: Ship = c",
                                "var s: Ship? = none; s = c",
                                "main_fleet.lead = c",
                                "main_fleet = Squadron(lead: c)",
                                "p.flagship = if c is Sloop then c else first of p.bay",
                                "p.flagship = p.flagship or else c",
                                "each x in p.bay { fire(x) }",
                                "fire(first of p.bay)",
                                "fire(top of chest)",
                                "p chooses x from p.bay; fire(x)",
                                "p chooses xs: 2 cards from p.bay; sail(xs)",
                                "sail(p.bay + reef)",
                                "p.fleet = p.bay - (p.bay where it is Port)",
                                "p.fleet = union of q.bay for q in players",
                                "if c is Ship { if is_sloop(c) then n = 1 }",
                                "if paper is some then fire(paper)",
                                "swap p.flagship with paper",
                                "if c is Ship { each x in p.bay { let d = c }; fire(first of p.bay) }"}) {
    INFO(statement);
    CHECK(has(with_card(statement), "E03"));
  }
  CHECK(has(with_card("fire(c)"),
            "expected `Ship` for `s`, found `Paper` (narrow it first: `if c is Ship then …`, or take it from "
            "`(… where it is Ship)`)"));
  CHECK(has(with_card("sail(p.bay)"), "select the cards that fit: `p.bay where it is Ship`"));
}

TEST_CASE("types: a stored card may change during an event", "[types]") {
  for (const char* statement :
       {"if paper is Ship { count(1); fire(paper) }", "if paper is Ship { count(1); p.fleet += paper }",
        "if paper is Ship { repeat 2 { fire(paper); count(1) } }", "if paper is Ship { afterwards { fire(paper) } }",
        "if p.line is empty and paper is Ship { each x in p.bay { p.flagship = paper; count(1) } }"}) {
    INFO(statement);
    CHECK(has(with_card(statement), "E0301"));
  }
  for (const char* statement : {"if paper is Ship { fire(paper); count(1) }", "if c is Ship { count(1); fire(c) }",
                                "if paper is Ship { afterwards { count(1) }; fire(paper) }"}) {
    INFO(statement);
    CHECK(!has(with_card(statement), "E0301"));
  }
  CHECK(has(with_card("sail(union of q.bay for q in players)"),
            "select the cards that fit: `(union of q.bay for q in players) where it is Ship`"));
  CHECK(has(with_card("p.fleet = [c]"), "narrow it first: `if c is Ship then …`"));
}

TEST_CASE("types: results, parameters and yields of a card type", "[types]") {
  for (const char* rules :
       {"function f(p: player): Ship? = first of p.bay", "function f(p: player): set of Ship = p.bay",
        "function f(p: player): Ship? { return first of p.bay }", "value v(p: player): Ship? = first of p.bay",
        "value v(p: player): Ship? = none\nmodify v(p) to first of p.bay",
        "event e(p: player): Ship? { return top of chest }",
        "window w(p: player): Ship? { ask p; return first of p.bay }",
        "sequence s(p: player): Ship { each c in p.bay { yield c } }",
        "event hit(p: player, s: Ship) { n = s.guns }\ninstead of hit(p, s) { proceed(p, first of p.bay) }",
        "function total(p: player, f: rule(Paper) -> int): int = sum of f(c) for c in p.bay\nevent e(p: player) { n = "
        "total(p, guns_of) }",
        "window w(s: Ship) { ask active }\nevent e(c: Paper) { open w(c) }",
        "function f(s: Ship? = only of (Port where tons == 8)): int = 1"}) {
    INFO(rules);
    CHECK(has(in_port(rules), " E0"));
  }
}

TEST_CASE("types: tests narrow a card", "[types]") {
  for (const char* statement : {"if c is Ship { fire(c); p.flagship = c; mended[c] = true; p.fleet += c; n = c.guns }",
                                "if c is Port { n = c.depth } else { fire(c) }",
                                "if c is not Ship { return }; fire(c)",
                                "if c is Ship and c.guns > 1 then fire(c)",
                                "sail(p.bay where it is Ship)",
                                "each x in p.bay where it is Ship { fire(x) }",
                                "each x in (p.bay where it is Ship) { fire(x) }",
                                "if c.kind == Sloop { fire(c); if is_sloop(c) then n = 1 }",
                                "if c is Sloop or Frigate then fire(c)",
                                "if c is Sloop or c is Frigate then fire(c)",
                                "if c in p.fleet then fire(c)",
                                "if c == p.flagship then fire(c)",
                                "p chooses x from p.bay where it is Ship; fire(x)",
                                "p chooses xs: 2 Ship from p.bay where guns > 1; sail(xs)",
                                "p chooses xs: any ships from p.bay; sail(xs)",
                                "p.fleet = p.bay & p.fleet",
                                "p.fleet -= p.bay",
                                "if any x in p.bay has x is Ship { fire(x) }",
                                "fire(top of reef)",
                                "each x in reef { fire(x) }"}) {
    INFO(statement);
    CHECK(with_card(statement) == "");
  }
  CHECK(in_port("action a(s in me.bay where it is Ship) in main { fire(s) }\n"
                "action b(ss: 2 cards in me.bay where it is Ship) in main { sail(ss) }\n"
                "action c(ss: up to 2 Ships in me.bay where not mended[it]) in main { sail(ss) }\n"
                "action d(c in me.bay) in main when c is Ship { fire(c) }") == "");
}

TEST_CASE("types: narrowing ends when the tested value changes", "[types]") {
  for (const char* statement :
       {"if paper is Ship { paper = c; fire(paper) }",
        "if p.flagship is some { players.flagship = none; n = p.flagship.guns }",
        "if p.flagship is some { repeat 2 times { n = p.flagship.guns; p.flagship = none } }"}) {
    INFO(statement);
    CHECK(has(with_card(statement), "E03"));
  }
  CHECK(
      has(in_port("event e(p: player, q: player) { if p.flagship is some { q.flagship = none; n = p.flagship.guns } }"),
          "may be none"));
}

TEST_CASE("types: attributes that a card may lack, and attributes of several types", "[types]") {
  CHECK(has(with_card("n = c.guns"), "`Cadiz` has no `guns`: narrow the card first (`if c is Ship then …`"));
  CHECK(has(with_card("n = sum of x.guns for x in p.bay"), "this number may be none"));
  CHECK(has(with_card("count(c.guns)"), "may be none"));
  CHECK(with_card("n = c.guns or else 0; if c.fast then n = 1; if c.guns is some then n = c.guns") == "");
  CHECK(with_card("n = c.tons; n = size(p.bay where tons > 3)") == "");
  CHECK(with_card("n = size(c.flags)") == "");
  CHECK(has(with_card("n = 1 + most of size(q.bay) for q in players where q.gold > 1"), "this number may be none"));
}

TEST_CASE("types: the noun of a pick", "[types]") {
  CHECK(has(in_port("action a(cs: 2 bananas in me.bay) in main { move cs to sunk }"), "unknown noun `bananas`"));
  CHECK(has(in_port("event e(p: player) { p chooses cs: any shps from p.bay; move cs to sunk }"),
            "did you mean `Ships`?"));
  CHECK(has(in_port("action a(cs: 2 players in me.bay) in main { move cs to sunk }"), "picked from"));
  CHECK(has(in_port("event e(p: player) { p chooses cs: 2 Flag from p.bay }"), "expected a source of `Flag`"));
  for (const char* picked : {"2 cards in me.bay", "1 players in others", "any numbers in 1..5", "2 flags in Flag"})
    CHECK(in_port(std::string("action a(xs: ") + picked + ") in main { n = size(xs) }") == "");
}

TEST_CASE("types: parts of areas are not numbers", "[types]") {
  CHECK(has(with_card("lengthen(2)"), "use the number as an index: `dock[n]`"));
  CHECK(has(with_card("lengthen(crane[1])"), "expected `dock` for `d`, found `crane`"));
  CHECK(has(with_card("count(p.pier)"), "use `index of x` for its number"));
  CHECK(with_card("lengthen(dock[2]); p.pier = dock[1]; n = index of p.pier; each d in docks { lengthen(d) }") == "");
}

}   // namespace cardwright::sema_tests
