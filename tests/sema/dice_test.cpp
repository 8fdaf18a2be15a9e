// Tests diagnostics for dice and arranged cards: each invalid use is rejected with a fix. (differential_test.cpp plays
// dice.rules and arranging.rules, which test valid uses.)
#include "tests/support/analyze.h"

namespace cardwright::sema_tests {

namespace {

const std::string kDice =
    "enum Sign { sword, shield, blank }\nplayer { die bone x 3 { faces 1..6; held: bool = false }; die luck { faces "
    "Sign, secret } }\ndie hit x 2 { faces [sword, sword, blank] }\n";
std::string in_event(const std::string& effect) {
  return messages(kDice + "event e(p: player, q: player?, b: bone) { " + effect + " }");
}

}   // namespace

TEST_CASE("sema: dice are declared with their faces", "[dice]") {
  CHECK(has(messages("die cube x 3"), "the die `cube` has no faces (`die cube { faces 1..6 }`)"));
  CHECK(has(messages("die cube x 62 { faces 1..6 }"), "number of dice out of range; expected 1 to 61, found 62"));
  CHECK(has(messages("player { die cube x 40 { faces 1..6 } }"), "number of dice out of range; the limit is 61"));
  CHECK(has(messages("die cube { faces 6..1 }"), "number of sides out of range; expected 1 to 1000"));
  CHECK(has(messages("die cube { faces 1..2000 }"), "number of sides out of range; expected 1 to 1000"));
  CHECK(has(messages("die cube { faces 3 }"), "expected a range, an enum or a list for the faces of a die"));
  CHECK(has(messages("enum Sign { sword, shield }\ndie cube { faces [1, sword] }"),
            "all faces of a die must have the same type"));
  CHECK(has(messages("die cube { faces [1, true] }"), "a face must be a number or a constant of an enum"));
  CHECK(has(messages("die cube { faces 1..6, sekret }"),
            "expected `secret`, `public` or `hidden`, found `sekret` (did you mean `secret`?)"));
  CHECK(has(messages("die cube { faces 1..6; zone z: public }"), "`zone` is not allowed in a die"));
  CHECK(has(messages("die cube { faces 1..6; face: 0..9 = 0 }"), "duplicate declaration of `face`"));
  CHECK(has(messages("die cube { faces 1..6 }\nvalue cube: int = 3"), "duplicate name `cube`: it is also a value"));
  CHECK(has(messages("faces 1..6"), "`faces` is not allowed at the top of a file (move it into a die)"));
  CHECK(has(printed(kDice), "luck.face"));
}

TEST_CASE("sema: dice are rolled and turned", "[dice]") {
  CHECK(in_event("roll b; roll p.bones where not held; roll hits; roll p.luck; turn b to 6; turn hits to sword; if "
                 "p.luck.face == blank then roll hit[2]") == "");
  CHECK(in_event("reveal p.luck; peek p.luck by p; each x in p.bones where x.face > 2 { x.held = true }; let n = sum "
                 "of x.face for x in p.bones") == "");
  CHECK(
      has(in_event("b.face = 3"), "cannot assign the face of `bone` (roll or turn the die: `roll d`, `turn d to 5`)"));
  CHECK(has(in_event("let n = roll b"),
            "a roll of dice must be a separate statement (use `roll d`, then read `d.face`)"));
  CHECK(has(in_event("turn b faceup"), "expected cards, found `bone` (to turn a die, write `turn d to 5`)"));
  CHECK(has(in_event("turn p to 3"), "expected dice, found `player` (to turn cards, use `faceup` or `facedown`)"));
  CHECK(has(in_event("turn hits to shield"), "the die `hit` has no such face"));
  CHECK(has(in_event("turn b to 7"), "7 is out of range 1..6"));
  CHECK(has(in_event("turn b to sword"), "E0301"));
  CHECK(has(in_event("roll p.luck[1]"), "E0"));
  CHECK(has(in_event("roll p.bone"), "each player has several `bone`; an index is missing"));
  CHECK(has(in_event("if hit shows 3 then roll hits"), "`shows` is allowed only in scenarios"));
  CHECK(has(messages(kDice + "value v(p: player): int { roll p.bones\n return 3 }"),
            "has an effect, which is not allowed in a condition or value"));
  CHECK(has(
      messages(
          kDice +
          "event e(p: player) { roll p.bones }\nvalue v(p: player): bool = supposing e(p) holds (p.bone[1].face == 1)"),
      "dice are rolled at random"));
}

TEST_CASE("sema: dice in scenarios", "[dice]") {
  const auto scenario = [](const std::string& lines) {
    return messages(kDice + "scenario \"s\" for 3 players { " + lines + " }");
  };
  CHECK(scenario("given a.bones show [1, 2, 3], b.bone[2] shows 6, hits show blank, c.luck shows sword\n then "
                 "a.bone[1] shows 1, hits show [blank, blank]") == "");
  CHECK(has(scenario("given a.bones show [1, 2]"), "number of faces does not match: 3 dice and 2 faces"));
  CHECK(has(scenario("given a.bone[1] shows 7"), "7 is out of range 1..6"));
  CHECK(has(scenario("given hits show shield"), "the die `hit` has no face shield"));
  CHECK(has(scenario("given chief shows 3"), "expected dice before `shows`"));
  CHECK(has(scenario("when a rolls 3"), "`rolls` must follow the step in which the dice are rolled"));
}

TEST_CASE("sema: arranged cards", "[arrange]") {
  const auto effect = [](const std::string& what) {
    return messages("table { zone line: row, public; zone heap: public }\nevent e(p: player, q: player?, c: card) { " +
                    what + " }");
  };
  CHECK(effect("arrange top 3 of draw by p \"Which one?\"; arrange line by q; arrange bottom 2 of draw by p; arrange "
               "discard by p") == "");
  CHECK(has(effect("arrange top of draw by p"),
            "`arrange` needs several cards (add a number: `arrange top 3 of draw by p`)"));
  CHECK(has(effect("let cs = p.hand; arrange cs by p"),
            "`arrange` needs a pile or a row, or cards at the top or bottom of one (move them onto a pile first"));
  CHECK(has(effect("arrange heap by p"), "the cards in `heap` have no order, because it is not a pile or a row"));
  CHECK(has(effect("arrange c by p"), "`arrange` needs a pile or a row"));
  CHECK(has(effect("arrange top 3 of draw by c"), "expected a player"));
  CHECK(has(messages("value v(p: player): int { arrange top 3 of draw by p\n return 3 }"), "has an effect"));
  CHECK(
      has(messages("event e(p: player) { arrange top 3 of draw by p }\nvalue v(p: player): bool = supposing e(p) holds "
                   "(p.gold == 1)"),
          "a player makes a decision"));
}

TEST_CASE("sema: pieces that cover edges", "[pieces]") {
  const std::string walls =
      "board field: grid 6 x 5\npiece wall x 3 on field { covers 2 edges }\npiece hero, one per player on field\n";
  const auto event = [&](const std::string& what) {
    return messages(walls + "event e(p: player, w: wall, x: edge) { " + what + " }");
  };
  CHECK(event("place w at x; lift w; let s = w.edges + footprint(w, x); each o in walls at x { lift o }; each o in "
              "walls on s { lift o }; if w is on field then lift w") == "");
  CHECK(has(event("let s = w.cells"), "`wall` covers edges, so it has no member `cells` (write `x.edges`)"));
  CHECK(has(event("let s = p.hero.edges"), "`hero` covers cells, so it has no member `edges`"));
  CHECK(has(event("place w at a1"), "E0301"));
  CHECK(has(event("place w at x facing N"), "`wall` has no facing (its edge already determines its direction)"));
  CHECK(has(event("let s = footprint(w, x, N)"), "`wall` covers edges, so it can't have a facing"));
  CHECK(has(event("each o in walls on field.cells { lift o }"), "expected edges after `on`"));
  CHECK(has(messages("board field: grid 6 x 5\npiece wall x 3 on field { covers 2 edges; facing N }"),
            "`wall` covers edges, so it can't have a facing"));
  CHECK(has(messages("board field: grid 6 x 5\npiece wall x 3 on field { covers 9 edges }"),
            "length of a piece on `field` out of range; expected 1 to 6 edges, found 9"));
  CHECK(has(messages("board field: hex 6 x 5\npiece wall x 3 on field { covers 2 edges }"),
            "on hexagons, a piece can't cover several edges"));
  CHECK(has(messages("board field: grid 6 x 5\npiece wall x 3 on field { covers 2 edges; at: edge = f1|N }"),
            "`wall` extends beyond the board at this position"));
  CHECK(has(
      messages("board field: grid 6 x 5\ncard type Bar { covers 2 edges }\ncard Pole: Bar\ndeck Bars: Bar into draw "
               "{ Pole x 2 }"),
      "cards can only cover cells"));
  CHECK(has(messages(walls + "scenario \"s\" for 3 players { given wall[1] at f1|N }"),
            "`wall[1]` extends beyond the board at f1|N"));
}

}   // namespace cardwright::sema_tests
