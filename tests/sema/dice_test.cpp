// Tests diagnostics for dice and arranged cards: each invalid use is rejected with a fix. (dice.rules and
// arranging.rules in differential_test.cpp test how they are played.)
#include "tests/sema/analysing.h"

namespace cardwright::sema_tests {

namespace {

const std::string kDice =
    "enum Sign { sword, shield, blank }\nplayer { die bone x 3 { faces 1..6; held: bool = false }; die luck { faces "
    "Sign, secret } }\ndie hit x 2 { faces [sword, sword, blank] }\n";
std::string in_event(const std::string& effect) {
  return said(kDice + "event e(p: player, q: player?, b: bone) { " + effect + " }");
}

}   // namespace

TEST_CASE("sema: dice are declared with their faces", "[dice]") {
  CHECK(has(said("die cube x 3"), "what a `cube` has on its faces is missing (`die cube { faces 1..6 }`)"));
  CHECK(has(said("die cube x 62 { faces 1..6 }"), "there are from 1 to 61 dice of a kind, not 62"));
  CHECK(has(said("player { die cube x 40 { faces 1..6 } }"), "there are at most 61 dice of a kind"));
  CHECK(has(said("die cube { faces 6..1 }"), "a die has from 1 to 1000 sides"));
  CHECK(has(said("die cube { faces 1..2000 }"), "a die has from 1 to 1000 sides"));
  CHECK(has(said("die cube { faces 3 }"), "the faces of a die are numbers, an enum or a list"));
  CHECK(
      has(said("enum Sign { sword, shield }\ndie cube { faces [1, sword] }"), "the faces of one die are of one type"));
  CHECK(has(said("die cube { faces [1, true] }"), "a face is a number or a constant of an enum"));
  CHECK(has(said("die cube { faces 1..6, sekret }"), "`sekret` is not what faces can be (did you mean `secret`?)"));
  CHECK(has(said("die cube { faces 1..6; zone z: public }"), "`zone` can't stand in a die"));
  CHECK(has(said("die cube { faces 1..6; face: 0..9 = 0 }"), "duplicate declaration of `face`"));
  CHECK(has(said("die cube { faces 1..6 }\nvalue cube: int = 3"), "`cube` is a value too"));
  CHECK(has(said("faces 1..6"), "`faces` can't stand at the top of a file (it stands in a die)"));
  CHECK(has(printed(kDice), "luck.face"));
}

TEST_CASE("sema: dice are rolled and turned", "[dice]") {
  CHECK(in_event("roll b; roll p.bones where not held; roll hits; roll p.luck; turn b to 6; turn hits to sword; if "
                 "p.luck.face == blank then roll hit[2]") == "");
  CHECK(in_event("reveal p.luck; peek p.luck by p; each x in p.bones where x.face > 2 { x.held = true }; let n = sum "
                 "of x.face for x in p.bones") == "");
  CHECK(
      has(in_event("b.face = 3"), "what a `bone` shows is not stored, but rolled or turned (`roll d`, `turn d to 5`)"));
  CHECK(has(in_event("let n = roll b"), "a die is rolled by a statement of its own (`roll d`, and then `d.face`)"));
  CHECK(has(in_event("turn b faceup"), "expected cards, found `bone` (to turn a die, write `turn d to 5`)"));
  CHECK(has(in_event("turn p to 3"),
            "dice are turned to a face, not a `player` (cards are turned `faceup` or `facedown`)"));
  CHECK(has(in_event("turn hits to shield"), "no side of a `hit` shows that"));
  CHECK(has(in_event("turn b to 7"), "7 is never in 1..6"));
  CHECK(has(in_event("turn b to sword"), "E0301"));
  CHECK(has(in_event("roll p.luck[1]"), "E0"));
  CHECK(has(in_event("roll p.bone"), "which `bone`"));
  CHECK(has(in_event("if hit shows 3 then roll hits"), "`shows` belongs into scenarios"));
  CHECK(has(said(kDice + "value v(p: player): int { roll p.bones\n return 3 }"),
            "has an effect, and a condition or value only looks"));
  CHECK(has(
      said(
          kDice +
          "event e(p: player) { roll p.bones }\nvalue v(p: player): bool = supposing e(p) holds (p.bone[1].face == 1)"),
      "dice are rolled at random"));
}

TEST_CASE("sema: dice in scenarios", "[dice]") {
  const auto scenario = [](const std::string& lines) {
    return said(kDice + "scenario \"s\" for 3 players { " + lines + " }");
  };
  CHECK(scenario("given a.bones show [1, 2, 3], b.bone[2] shows 6, hits show blank, c.luck shows sword\n then "
                 "a.bone[1] shows 1, hits show [blank, blank]") == "");
  CHECK(has(scenario("given a.bones show [1, 2]"), "these are 3 dice and 2 faces"));
  CHECK(has(scenario("given a.bone[1] shows 7"), "7 is never in 1..6"));
  CHECK(has(scenario("given hits show shield"), "no side of a `hit` shows shield"));
  CHECK(has(scenario("given chief shows 3"), "dice are needed before `shows`"));
  CHECK(has(scenario("when a rolls 3"), "what comes up stands behind the step in which the dice are rolled"));
}

TEST_CASE("sema: arranged cards", "[arrange]") {
  const auto effect = [](const std::string& what) {
    return said("table { zone line: row, public; zone heap: public }\nevent e(p: player, q: player?, c: card) { " +
                what + " }");
  };
  CHECK(effect("arrange top 3 of draw by p \"Which one?\"; arrange line by q; arrange bottom 2 of draw by p; arrange "
               "discard by p") == "");
  CHECK(has(effect("arrange top of draw by p"),
            "one card lies in no order (say how many: `arrange top 3 of draw by p`)"));
  CHECK(has(effect("let cs = p.hand; arrange cs by p"),
            "what is arranged is a pile or a row, or the cards on its top or bottom (move them onto a pile first"));
  CHECK(has(effect("arrange heap by p"), "the cards in `heap` lie in no order: it is not a pile or a row"));
  CHECK(has(effect("arrange c by p"), "what is arranged is a pile or a row"));
  CHECK(has(effect("arrange top 3 of draw by c"), "a player is needed here"));
  CHECK(has(said("value v(p: player): int { arrange top 3 of draw by p\n return 3 }"), "has an effect"));
  CHECK(has(said("event e(p: player) { arrange top 3 of draw by p }\nvalue v(p: player): bool = supposing e(p) holds "
                 "(p.gold == 1)"),
            "a player makes a decision"));
}

TEST_CASE("sema: pieces that cover edges", "[pieces]") {
  const std::string walls =
      "board field: grid 6 x 5\npiece wall x 3 on field { covers 2 edges }\npiece hero, one per player on field\n";
  const auto event = [&](const std::string& what) {
    return said(walls + "event e(p: player, w: wall, x: edge) { " + what + " }");
  };
  CHECK(event("place w at x; lift w; let s = w.edges + footprint(w, x); each o in walls at x { lift o }; each o in "
              "walls on s { lift o }; if w is on field then lift w") == "");
  CHECK(has(event("let s = w.cells"), "`wall` covers edges, so it has no member `cells` (write `x.edges`)"));
  CHECK(has(event("let s = p.hero.edges"), "`hero` covers cells, so it has no member `edges`"));
  CHECK(has(event("place w at a1"), "E0301"));
  CHECK(has(event("place w at x facing N"), "a `wall` has no facing (its edge already determines its direction)"));
  CHECK(has(event("let s = footprint(w, x, N)"), "a `wall` covers edges, so it can't have a facing"));
  CHECK(has(event("each o in walls on field.cells { lift o }"), "expected edges after `on`"));
  CHECK(has(said("board field: grid 6 x 5\npiece wall x 3 on field { covers 2 edges; facing N }"),
            "a `wall` covers edges, so it can't have a facing"));
  CHECK(has(said("board field: grid 6 x 5\npiece wall x 3 on field { covers 9 edges }"),
            "length of a piece on `field` out of range; expected 1 to 6 edges, found 9"));
  CHECK(has(said("board field: hex 6 x 5\npiece wall x 3 on field { covers 2 edges }"),
            "on hexagons, a piece can't cover several edges"));
  CHECK(has(said("board field: grid 6 x 5\npiece wall x 3 on field { covers 2 edges; at: edge = f1|N }"),
            "a `wall` here extends beyond the board"));
  CHECK(has(said("board field: grid 6 x 5\ncard type Bar { covers 2 edges }\ncard Pole: Bar\ndeck Bars: Bar into draw "
                 "{ Pole x 2 }"),
            "cards can only cover cells"));
  CHECK(has(said(walls + "scenario \"s\" for 3 players { given wall[1] at f1|N }"),
            "`wall[1]` extends beyond the board at f1|N"));
}

}   // namespace cardwright::sema_tests
