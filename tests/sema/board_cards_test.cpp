// Cards that lie on a board: what is refused, with the way out. (How they are played: board_cards.rules in differential_test.cpp.)
#include "tests/sema/analysing.h"

namespace cardwright::sema_tests {

namespace {

const std::string kBoard = "board field: grid 6 x 5\ncard type Bar { covers 2 x 1 }\ncard Pole: Bar { facing E }\ncard type Plain\ncard Rock: Plain\n"
                           "deck Bars: Bar into heap { Pole x 2 }\ndeck Rocks: Plain into heap { Rock x 2 }\ntable { zone heap: pile, facedown }\n";

}  // namespace

TEST_CASE("sema: cards lie on a board", "[pieces]") {
  CHECK(said(kBoard + "event e(g: Bar) { place g at a1; place g facing N; move g to heap }\nvalue v(): int = size(cards on field) + size(cards at a1) + size(all Bar on field)") == "");
  CHECK(said("card type Bar { covers 1 x 1 }\ncard Pole: Bar").find("there is no board on which these cards could lie") != std::string::npos);
  CHECK(said("board field: grid 3 x 3\ncard type Bar { covers 4 x 4 }\ncard Pole: Bar").find("has only 3 x 3") != std::string::npos);
  CHECK(said("board field: grid 3 x 3\ncard type Bar { facing N }\ncard Pole: Bar").find("`Pole` covers no cells, so it never lies on a board (`covers 1 x 1` lets it lie on one)") != std::string::npos);
  CHECK(said("board field: grid 3 x 3\nevent e() { each c in cards on field { take(chief) } }").find("no card of this game lies on a board") != std::string::npos);
}

TEST_CASE("sema: which card is of which size, and its sign, is part of the Model", "[pieces]") {
  const std::string cards = "board field: grid 6 x 5\ncard type Bar { covers 2 x 1 }\ncard Pole: Bar\ncard Post: Bar { covers 1 x 1; shows \"|\" }\ndeck Bars: Bar into heap { Pole x 2, Post }\ntable { zone heap: pile, facedown }\n";
  const std::string model = printed(cards);
  CHECK(has(model, "Pole on field, size 0\n"));
  CHECK(has(model, "Post on field, size 1 \"|\"\n"));
}

TEST_CASE("sema: what can't be done with cards on a board", "[pieces]") {
  const auto in_event = [](const std::string& effect) { return said(kBoard + "event e(g: Bar, s: Plain) { " + effect + " }"); };
  CHECK(has(in_event("lift g"), "(`move g to discard` takes it off the board)"));
  CHECK(has(in_event("move g to field"), "cards come onto a board with `place x at c`"));
  CHECK(has(in_event("place s at a1"), "a piece is needed here, not `Plain` (this card covers no cells"));
  CHECK(has(in_event("each c in heap { place c at a1 }"), "may be a card that covers no cells"));
  CHECK(has(in_event("g.at = a1"), "is not stored, but placed"));
  CHECK(has(in_event("place g at a1 facedown"), "cards lie face up on a board"));
  CHECK(has(in_event("turn cards on field facedown"), "cards lie face up on a board, and are not turned there"));
  CHECK(has(in_event("place s.at at a1"), "`Plain` has no attribute `at`"));
  CHECK(has(in_event("if g.at is not none { move g to heap; let c: cell = g.at }"), "may be none"));
}

TEST_CASE("sema: cards on a board in scenarios", "[pieces]") {
  const auto given = [](const std::string& g) { return said(kBoard + "event e(g: Bar) { place g at a1 }\nscenario \"s\" for 2 players { given " + g + "\n when main of a begins\n then Pole is on field }", 2); };
  CHECK(given("Pole at a1 facing N") == "");
  CHECK(has(given("Pole at f1 facing N"), "`Pole` leaves the board at f1"));
  CHECK(has(given("Rock at a1"), "`Rock` covers no cells, so it never lies on a board"));
}

}  // namespace cardwright::sema_tests
