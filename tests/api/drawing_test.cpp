// Tests the symbols of boards in the terminal: each variable and each piece has its own, values are visible under
// pieces, players' symbols have colors, and a board is cropped to the cards on it.
#include <catch2/catch.hpp>

#include <algorithm>

#include "cardwright/cardwright.hpp"
#include "cardwright/theme.hpp"
#include "tests/support/checkout.h"
#include "tests/support/command.h"

using namespace cardwright;
using test::TemporaryFolder;

namespace {

bool has_text(const std::vector<std::string>& lines, std::string_view text) {
  return std::ranges::any_of(lines, [&](const std::string& line) { return line.find(text) != std::string::npos; });
}

api::Game game_of(const TemporaryFolder& folder, const std::string& rules) {
  return api::Ruleset::load(folder.write("drawn.rules", "game \"Drawn\"\nplayers 2\n" + rules)).compile();
}

const std::string kEnd = "\nplay { winners nobody }\n";

}   // namespace

TEST_CASE("drawing: variables that mark cells have different symbols", "[drawing]") {
  const TemporaryFolder folder;
  const auto table = game_of(folder,
                             "board field: grid 4 x 2\n"
                             "table { began_at: cell? = a1; built: set of cell = [b1]; bare: cell = c1 }\n"
                             "player { men: set of cell = [a2]; kings: set of cell = [c2] }" +
                                 kEnd)
                         .new_state(1)
                         .table_in_words(0);
  CHECK(has_text(table, "b: began at"));
  CHECK(has_text(table, "u: built"));
  CHECK(has_text(table, "a: bare"));
  CHECK(has_text(table, "A: men of a"));
  CHECK(has_text(table, "Ak: kings of a"));
  CHECK(has_text(table, "1  b  u  a  . "));
}

TEST_CASE("drawing: pieces with the same declared symbol or with labels have different symbols", "[drawing]") {
  const TemporaryFolder folder;
  const auto table = game_of(folder,
                             "board field: grid 4 x 2\n"
                             "enum Load { Barrel, Box, Sack }\n"
                             "piece load, one per Load on field\n"
                             "piece wagon x 1 on field { shows \"@\" }\n"
                             "piece crane x 1 on field { shows \"@\" }\n"
                             "setup { place load[Barrel] at a1; place load[Box] at b1; place load[Sack] at c1; "
                             "place wagon[1] at a2; place crane[1] at b2 }" +
                                 kEnd)
                         .new_state(1)
                         .table_in_words(0);
  INFO(table.back());
  CHECK(has_text(table, "lB: load Barrel"));
  CHECK(has_text(table, "lo: load Box"));
  CHECK(has_text(table, "lS: load Sack"));
  CHECK(has_text(table, "@: wagon"));
  CHECK(has_text(table, "@c: crane"));
}

TEST_CASE("drawing: the value of a cell is shown with the piece on it", "[drawing]") {
  const TemporaryFolder folder;
  const auto table = game_of(folder,
                             "board field: grid 4 x 2 { shows storeys }\n"
                             "table { storeys: 0..40 per cell = 0 }\n"
                             "player { at: cell = b1 }\n"
                             "setup { storeys[b1] = 2; storeys[c1] = 30 }" +
                                 kEnd)
                         .new_state(1)
                         .table_in_words(0);
  CHECK(has_text(table, "1  .  A2 30 . "));
  CHECK(has_text(table, "numbers: storeys"));
}

TEST_CASE("drawing: values under pieces are listed if the rows would become too long", "[drawing]") {
  const TemporaryFolder folder;
  const auto table = game_of(folder,
                             "board field: grid 36 x 2 { shows storeys }\n"
                             "table { storeys: 0..9 per cell = 0 }\n"
                             "player { at: cell = b1 }\n"
                             "setup { storeys[b1] = 2 }" +
                                 kEnd)
                         .new_state(1)
                         .table_in_words(0);
  CHECK(has_text(table, "under    storeys 2 at b1"));
}

TEST_CASE("drawing: the symbols of players have their colors", "[drawing]") {
  const TemporaryFolder folder;
  const auto parts = game_of(folder,
                             "board field: grid 3 x 1\n"
                             "setup { (first of players).at = c1; (last of players).at = a1 }\n"
                             "player { at: cell = b1 }" +
                                 kEnd)
                         .new_state(1)
                         .table_in_parts(0);
  const auto board = std::ranges::find_if(parts, [](const api::TablePart& part) { return part.drawn; });
  REQUIRE(board != parts.end());
  REQUIRE(board->inks.size() == 2);
  for (const api::TablePart::Ink& ink : board->inks)
    CHECK(board->lines[ink.row].substr(ink.column, ink.length) == (ink.seat == 0 ? "A" : "B"));
}

TEST_CASE("drawing: a board laid out with cards is cropped to the cards", "[drawing]") {
  const TemporaryFolder folder;
  const auto table = game_of(folder,
                             "board field: grid 21 x 21\ncard type Tile\n"
                             "card Road: Tile { covers 1 x 1; shows \"#\" }\n"
                             "deck Tiles: Tile into bag { Road x 4 }\n"
                             "table { zone bag: pile, faceup }\n"
                             "setup { if bag is not empty then place top of bag at k11 }" +
                                 kEnd)
                         .new_state(1)
                         .table_in_words(0);
  CHECK(has_text(table, "i9 to m13 of 21 x 21"));
  CHECK_FALSE(has_text(table, "  21 "));
}

TEST_CASE("drawing: what the theme hides is not shown", "[drawing]") {
  const api::Game game = api::Ruleset::load("checkers").compile();
  const api::Omitted hidden = api::look_of(game).hidden;
  CHECK(hidden.variables == std::vector<std::string>{"crown", "quiet", "ways"});
  api::Log log(game);
  api::State state = game.new_state(1, 0, &log);
  state.apply(0, &log);
  std::vector<std::string> lines;
  for (const api::TablePart& part : state.table_in_parts(0, hidden))
    for (const std::string& line : part.lines_with_legend()) lines.push_back(line);
  for (const char* name : {"crown", "quiet", "ways"}) {
    CHECK(has_text(state.table_in_words(0), name));   // without a theme
    CHECK_FALSE(has_text(lines, name));
  }
  CHECK(has_text(log.lines(0), "quiet"));
  CHECK_FALSE(has_text(log.lines(0, 0, true, hidden), "quiet"));
}
