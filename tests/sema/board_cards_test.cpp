// Tests diagnostics for cards on a board: each invalid use is rejected with a fix. (differential_test.cpp plays
// board_cards.rules, which tests valid uses.)
#include "tests/support/analyze.h"

namespace cardwright::sema_tests {

namespace {

const std::string kBoard =
    "board field: grid 6 x 5\ncard type Bar { covers 2 x 1 }\ncard Pole: Bar { facing E }\ncard type Plain\ncard Rock: "
    "Plain\n"
    "deck Bars: Bar into heap { Pole x 2 }\ndeck Rocks: Plain into heap { Rock x 2 }\ntable { zone heap: pile, "
    "facedown }\n";

}   // namespace

TEST_CASE("sema: cards can be on a board", "[pieces]") {
  CHECK(messages(kBoard + "event e(g: Bar) { place g at a1; place g facing N; move g to heap }\nvalue v(): int = "
                          "size(cards on field) + size(cards at a1) + size(all Bar on field)") == "");
  CHECK(
      has(messages("card type Bar { covers 1 x 1 }\ncard Pole: Bar"), "`covers` needs a board, but the game has none"));
  CHECK(has(messages("board field: grid 3 x 3\ncard type Bar { covers 4 x 4 }\ncard Pole: Bar"), "has only 3 x 3"));
  CHECK(has(messages("board field: grid 3 x 3\ncard type Bar { facing N }\ncard Pole: Bar"),
            "`Pole` covers no cells, so it can't be on a board (declare the cells that it covers: `covers 1 x 1`)"));
  CHECK(has(messages("board field: grid 3 x 3\nevent e() { each c in cards on field { take(chief) } }"),
            "no card of this game can be on a board"));
}

TEST_CASE("sema: the Model contains the size and the symbol of each card", "[pieces]") {
  const std::string cards =
      "board field: grid 6 x 5\ncard type Bar { covers 2 x 1 }\ncard Pole: Bar\ncard Post: Bar { covers 1 x 1; shows "
      "\"|\" }\ndeck Bars: Bar into heap { Pole x 2, Post }\ntable { zone heap: pile, facedown }\n";
  const std::string model = printed(cards);
  CHECK(has(model, "Pole on field, size 0\n"));
  CHECK(has(model, "Post on field, size 1 \"|\"\n"));
}

TEST_CASE("sema: invalid uses of cards on a board", "[pieces]") {
  const auto in_event = [](const std::string& effect) {
    return messages(kBoard + "event e(g: Bar, s: Plain) { " + effect + " }");
  };
  CHECK(has(in_event("lift g"), "(write `move g to discard`)"));
  CHECK(has(in_event("move g to field"), "to put a card on a board, write `place x at c`"));
  CHECK(has(in_event("place s at a1"),
            "expected a piece, found `Plain` (to place the card on a board, write `covers 1 x 1`"));
  CHECK(has(in_event("each c in heap { place c at a1 }"), "may be a card that can't be placed on a board"));
  CHECK(has(in_event("g.at = a1"), "cannot assign the position of `"));
  CHECK(has(in_event("place g at a1 facedown"), "cards on a board are always faceup"));
  CHECK(has(in_event("turn cards on field facedown"), "cards on a board are always faceup, so they can't be turned"));
  CHECK(has(in_event("place s.at at a1"), "`Plain` has no attribute `at`"));
  CHECK(has(in_event("if g.at is not none { move g to heap; let c: cell = g.at }"), "may be none"));
}

TEST_CASE("sema: an item on a board has a cell", "[pieces]") {
  const auto in_event = [](const std::string& effect) {
    return messages(kBoard + "event e(g: Bar, s: card) { " + effect + " }");
  };
  CHECK(in_event("each c in cards on field { let x: cell = c.at; place c at x }") == "");
  CHECK(in_event("each c in cards at a1 where c.at.x > 0 { place c at b1 }") == "");
  CHECK(in_event("each c in heap where c is Pole { place c at a1 }") == "");
  CHECK(in_event("let xs = union of [c.at] + N for c in cards on field") == "");
  CHECK(has(in_event("each c in heap where c is Rock { place c at a1 }"), "expected a piece, found `Rock`"));
  CHECK(has(in_event("each c in heap where c is Pole { let x: cell = c.at }"), "may be none"));
  const std::string gate = kBoard + "event jump(c: cell) {}\n";
  CHECK(messages(gate +
                 "card Gate: Bar { while on field { after jump(c) when c == this.at { let x: cell = this.at } } }") ==
        "");
  CHECK(messages(gate +
                 "card Gate: Bar { while on field { action jump_over in main { let x: cell = this.at; jump(x) } } "
                 "}\nbefore jump_over { jump(a1) }") == "");
  CHECK(has(messages(gate + "card Gate: Bar { while in heap { after jump(c) { let x: cell = this.at } } }"),
            "may be none"));
  CHECK(
      has(messages(gate +
                   "card Gate: Bar { while on field { after jump(c) { move this to heap; let x: cell = this.at } } }"),
          "may be none"));
}

TEST_CASE("sema: pieces that are always on the board", "[pieces]") {
  const auto hero = [](const std::string& body, const std::string& effect = "") {
    return messages("board field: grid 6 x 5\npiece hero x 2 on field { " + body + " }\nevent e(h: hero) { " + effect +
                    " }");
  };
  CHECK(hero("at: cell = a1; facing N; covers 2 x 1", "place h at h.at + N; let c: cell = h.at") == "");
  CHECK(has(hero("at: cell = a1", "lift h"), "`hero` can't be taken off the board (declare `at: cell?` to allow it)"));
  CHECK(has(hero("at: cell = a1", "lift heroes at a1"), "`hero` can't be taken off the board"));
  CHECK(has(hero("at: dir = N"), "expected type `cell` for the position of `hero`"));
  CHECK(hero("at: cell? = a1", "lift h") == "");
  CHECK(has(hero("at: cell? = a1", "let c: cell = h.at"), "may be none"));
  CHECK(has(hero("at: cell per dir = a1"), "expected type `cell` for the position of `hero`"));
  CHECK(has(hero("at: cell"), "the first position of `hero` is missing"));
  CHECK(has(hero("at: cell = a1, hidden"), "the position of `hero` must be public"));
  CHECK(has(hero("at: cell = f1; covers 2 x 1"), "`hero` extends beyond the board at this position"));
  CHECK(has(hero("at: cell? = f1; covers 2 x 1"), "`hero` extends beyond the board at this position"));
  CHECK(hero("at: cell = f1; covers 2 x 1; facing E") == "");
  CHECK(has(hero("at: cell = a1; at: cell = a2"), "duplicate declaration of `at`"));
  CHECK(has(hero("at: cell = a1", "h.at = a2"), "cannot assign the position of `"));
  CHECK(
      has(messages("board field: grid 6 x 5\npiece hero x 2 on field { at: cell = a1 }\nscenario \"s\" for 2 players { "
                   "given heroes off field\n when main of a begins\n then hero[1] at a1 }",
                   2),
          "can't be taken off the board"));
}

TEST_CASE("sema: cards on a board in scenarios", "[pieces]") {
  const auto given = [](const std::string& g) {
    return messages(kBoard + "event e(g: Bar) { place g at a1 }\nscenario \"s\" for 2 players { given " + g +
                        "\n when main of a begins\n then Pole is on field }",
                    2);
  };
  CHECK(given("Pole at a1 facing N") == "");
  CHECK(has(given("Pole at f1 facing N"), "`Pole` extends beyond the board at f1"));
  CHECK(has(given("Rock at a1"), "`Rock` covers no cells, so it can't be on a board"));
}

}   // namespace cardwright::sema_tests
