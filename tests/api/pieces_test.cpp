// Tests pieces as people see them. (pieces.rules contains scenarios of their behavior, and
// differential_test.cpp tests that the engines agree.)
#include <algorithm>

#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include "cardwright/showing.hpp"
#include "tests/support/differential.h"
#include "tests/support/files.h"

using namespace cardwright;
using test::checkout;

namespace {

bool has_line(const std::vector<std::string>& lines, const std::string& part) {
  return std::any_of(lines.begin(), lines.end(),
                     [&](const std::string& l) { return l.find(part) != std::string::npos; });
}

}   // namespace

TEST_CASE("pieces: logs, views and the table contain their names", "[pieces]") {
  const api::Game game = api::Ruleset::load(checkout("tests/rulesets/small/two_heroes.rules")).compile();
  api::Log log(game);
  api::State state = game.new_state(1, 0, &log);
  CHECK(has_line(log.lines(0), "hero of a is placed at b2"));
  CHECK(has_line(log.lines(0), "shelf faces E"));
  const auto table = state.table_in_words(0);
  CHECK(has_line(table, "4  .   .   .   .   @b↑"));   // players' pieces always show their direction
  CHECK(has_line(table, "2  .   @a↑ .   ts  ."));
  CHECK(has_line(table, "1  .   .   .   ts→ ."));   // others show their direction only if it has changed
  CHECK(has_line(table, "@: hero, ts: thing shelf"));
  CHECK_FALSE(has_line(table, "e4"));   // a piece on the board is not also listed with its cell
  state.apply(0, &log);
  CHECK(has_line(log.lines(1), "hero of a: b2 to c3"));
  CHECK(has_line(log.lines(1), "hero of a faces E"));
  CHECK(has_line(log.lines(0), "hero of a: luck is now 5"));
  CHECK_FALSE(has_line(log.lines(1), "luck"));
  const auto view = nlohmann::json::parse(state.view(1))["variables"];
  const auto of_a = [&](const std::string& name) {
    return *std::find_if(view.begin(), view.end(), [&](const auto& v) {
      return v["name"] == name && v.contains("piece") && v["piece"] == "hero of a";
    });
  };
  CHECK(of_a("hero.at")["value"] == "c3");
  CHECK(of_a("hero.luck")["known"] == false);
  state.apply(1, &log);
  CHECK(has_line(log.lines(0), "hero of b leaves the board"));
}

TEST_CASE("pieces: leaving the board is reported with location and cause", "[pieces]") {
  const api::Game game = api::Ruleset::load(checkout("tests/rulesets/small/two_heroes.rules")).compile();
  api::State state = game.new_state(1);
  for (const std::size_t option : {0, 0, 2}) state.apply(option);
  REQUIRE(state.is_over());
  REQUIRE(state.failure());
  CHECK(state.failure()->text().find("shelf would leave the board at e4") != std::string::npos);
}

TEST_CASE("pieces: cards on a board are drawn and named", "[pieces]") {
  const api::Game game = api::Ruleset::load(checkout("tests/rulesets/small/board_cards.rules")).compile();
  api::Log log(game);
  api::State state = game.new_state(3, 0, &log);
  const auto lay = [&] {
    for (std::size_t i = 0; i < state.legal_count(); ++i)
      if (state.option(i).words.starts_with("lay: ")) return void(state.apply(i, &log));
    FAIL("nothing can be laid");
  };
  lay();
  CHECK(has_line(log.lines(1), "hand of a: "));
  CHECK(has_line(log.lines(1), " is placed at "));
  const auto table = state.table_in_words(0);
  CHECK_FALSE(has_line(table, "field:"));   // the board shows the items
  const auto view = nlohmann::json::parse(state.view(1))["variables"];
  CHECK(std::any_of(view.begin(), view.end(), [](const auto& v) {
    return v["name"] == "Barrier.at" && v.contains("card") && !v["value"].is_null();
  }));
}

TEST_CASE("pieces: a board shows heights and edges in empty cells", "[pieces]") {
  const api::Game game = api::Ruleset::load(checkout("tests/rulesets/small/shown_heights.rules")).compile();
  const api::State state = game.new_state(3);
  const auto table = state.table_in_words(0);
  CHECK(has_line(table, "  4 |. . . . .░g . "));   // a wall at the rim
  CHECK(has_line(table, "  3  . _▓▓ . . "));   // a wall between b2 and b3
  CHECK(has_line(table, "  2  .░░██|. . "));
  CHECK(has_line(table, "  1  _ .@a . "));
  CHECK(has_line(table, "                                                         a b"));
  CHECK(
      has_line(table, "@: hero, g: goal, ░: height up to 20, ▓: height up to 50, █: height up to 80, | and _: walls"));
  CHECK(has_line(table, "covered  hero of b at c1"));
  CHECK_FALSE(has_line(table, "goal f4"));   // the goal is drawn on the board
  const auto shown = nlohmann::json::parse(state.view(1))["boards"][0]["shows"];
  CHECK(shown["text"] == "height");
  CHECK(shown["cells"][28 + 1] == 20);
}

TEST_CASE("pieces: computed symbols, edges from a table, and output of players and the table", "[pieces]") {
  const api::Game game = api::Ruleset::load(checkout("tests/rulesets/small/shown_yard.rules")).compile();
  api::Log log(game);
  api::State state = game.new_state(1, 0, &log);
  const auto table = state.table_in_words(0);
  CHECK(has_line(table, "  3  . .*a█A . . "));   // a snack on a cart
  CHECK(has_line(table, "  2 →a .▒C▒C|.←b . "));   // a wall to the right of d2
  CHECK(has_line(table, "  1  . . . .*l _ . "));   // a wall below f1; `a` is taken, so ale is `l`
  CHECK(has_line(table, "C: thing Crate, A: thing Cart, →: hero, *a: snack apple, *l: snack ale, ▒: height up to 20"));
  CHECK(has_line(table, "| and _: wall"));
  CHECK(has_line(table, "purse: Penny; rich 1, sees nobody"));
  CHECK(has_line(table, "; 2 things"));
  CHECK_FALSE(has_line(table, "faces"));   // facings are drawn on the board
  CHECK_FALSE(has_line(table, "hits"));   // omitted, because all values are zero
  const auto parts = state.table_in_parts(0);
  REQUIRE(parts.size() == 3);
  CHECK(parts[1].drawn);
  CHECK(parts[1].lines.size() == 4);
  CHECK(parts[1].legend.size() == 8);
  const auto shown = nlohmann::json::parse(state.view(1))["boards"][0]["shows_on_edges"];
  CHECK(shown["text"] == "wall");
  CHECK(shown["edges"] == nlohmann::json({{"d2|E", 15}, {"f1|S", 15}}));
  CHECK(has_line(log.lines(0), "hero of a"));
  CHECK_FALSE(has_line(log.lines(0, 0, false), "hero of a"));   // lines about places on the board are omitted
  CHECK(has_line(log.lines(0, 0, false), "a draws Penny"));
  // The last placed piece is on top, and the pieces that it covers are named.
  for (std::size_t i = 0; i < state.legal_count(); ++i)
    if (state.option(i).words == "Hide under the cart") {
      state.apply(i);
      break;
    }
  const auto later = state.table_in_words(0);
  CHECK(has_line(later, "  2 █A█A▒C▒C|.←b . "));
  CHECK(has_line(later, "covered  hero of a at a2"));
  CHECK(has_line(later, "hero faces E"));
}

TEST_CASE("pieces: output of boards of each kind", "[pieces]") {
  const TemporaryFolder folder;
  folder.write("points.csv", "name,next,x,y\nRome,Oslo Bern,0,0\nOslo,Rome,0,3\nBern,Rome,4,0\n");
  const std::string file = folder.write("map.rules", R"(game "Map"
players 2
board roads: graph from "points.csv" { shows snow }
enum Ground { grass, water, wood, wool }
board field: grid 4 x 2 { shows ground }
board yard: grid 3 x 1 { shows it.x }
board hexes: hex 3 x 3 { shows it == hexes.b2 }
table {
  snow: 0..90 per roads.cell = 0; ground: Ground per field.cell = grass; walls: set of hexes.edge = [b2|NE]
  gate: field.cell = field.c1; goal: field.cell = field.d1; home: field.cell = field.a2; trip: field.cell per 1..2 = field.a1
}
piece cart, one per player on roads { shows "@" }
setup { snow[Rome] = 40; ground[field.b1] = wood; ground[field.b2] = wool; each p in players { place p.cart at Oslo } }
action go(to in roads.cells where it != me.cart.at) in main { place me.cart at to }
play { turns clockwise from first of players up to 4 { phase main { ask active } } }
end when play is over { winners nobody }
)");
  const auto table = api::Ruleset::load(file).compile().new_state(1).table_in_words(0);
  CHECK(has_line(table, "Rome=40"));
  CHECK(has_line(table, "Bern=0"));
  CHECK(has_line(table, "2  h/gr wool gr   gr"));
  CHECK(has_line(table, "1  t/gr wood g/gr o/gr"));
  CHECK(has_line(table, "g: gate, o: goal, h: home, t: trip, gr: grass, wood: wood, wool: wool"));
  CHECK(has_line(table, "trip 1-2 field.a1"));   // one symbol for both entries
  CHECK_FALSE(has_line(table, "gate field.c1"));
  CHECK_FALSE(has_line(table, "home field.a2"));
  CHECK(has_line(table, "1  . 1 2"));
  CHECK(has_line(table, "numbers: it.x"));
  CHECK(has_line(table, "2   . ▒ ."));
  CHECK(has_line(table, "walls hexes.b2|NE"));
}

TEST_CASE("pieces: a board reveals no secrets, and check reports such output", "[pieces]") {
  const TemporaryFolder folder;
  const std::string file = folder.write("secret.rules", R"(game "Mines"
players 2
board field: grid 3 x 3 { shows it in mines }
table { mines: set of cell, hidden }
setup { mines = [b2] }
action dig(c in field.cells) in main { if c in mines then me.found += 1 }
player { found: 0..9 = 0 }
play { turns clockwise from first of players up to 4 { phase main { ask active } } }
end when play is over { winners nobody }
)");
  const api::Ruleset rules = api::Ruleset::load(file);
  CHECK(rules.check().text.find("`it in mines` would reveal hidden information to all players") != std::string::npos);
  const api::State state = rules.compile().new_state(1);
  CHECK_FALSE(has_line(state.table_in_words(0), "▒"));
  CHECK(has_line(state.table_in_words(-1), "▒"));
  CHECK(state.view(0).find("\"shows\"") == std::string::npos);
}

TEST_CASE("pieces: a board shows a set of edges, by name between hexagons", "[pieces]") {
  const TemporaryFolder folder;
  const auto shown = [&](const std::string& board) {
    const std::string rules = "game \"Walls\"\nplayers 2\n" + board +
                              "\ntable { at: cell = b2 }\nfunction walls(): set of edge = set of it.edge(E) for it in "
                              "[at]\nplay { winners nobody }\n";
    const api::Game game = api::Ruleset::load(folder.write("walls.rules", rules)).compile();
    const api::State state = game.new_state(1);
    std::string text;
    for (const std::string& line : state.table_in_words(0)) text += line + "\n";
    return std::pair(text, nlohmann::json::parse(api::things(state, 0)[1].value));
  };
  const auto [squares, ground] = shown("board field: grid 3 x 3 { shows walls() \"wall\" }");
  CHECK(squares.find("| and -: wall") != std::string::npos);
  CHECK(ground["edges"].size() == 1);
  CHECK(ground["edges"][0][1] == true);
  CHECK(shown("board field: hex 3 x 3 { shows walls() \"wall\" }").first.find("wall: b2|E") != std::string::npos);
}

TEST_CASE("pieces: output of a player is hidden from those who may not know all of it", "[pieces]") {
  const TemporaryFolder folder;
  const api::Game game = api::Ruleset::load(folder.write("shown.rules", R"(
game "Shown"
players 2
card type Chip { n: 1..9 }
deck Chips: Chip into bag { Chip(n: 3) x 4 }
player { zone hand: owner; shows "{sum of c.n for c in it.hand} in hand?" }
table { zone bag: pile, facedown; fired: 0..9 per cell = 0; shows "{size(bag)} in the bag" }
board field: grid 2 x 2 { shows fired[it] }
setup { deal 1 from bag to each hand }
play { winners nobody }
)"))
                             .compile();
  const api::State state = game.new_state(1);
  const auto seen_by = [&](int observer) {
    for (const api::Thing& thing : api::things(state, observer))
      if (thing.key == "seats") return nlohmann::json::parse(thing.value);
    return nlohmann::json();
  };
  CHECK(seen_by(0)[0]["shown"] == nlohmann::json::array({"3 in hand?"}));
  CHECK(seen_by(0)[1]["shown"] == nlohmann::json::array());
  CHECK(has_line(state.table_in_words(0), "3 in hand?"));
  CHECK_FALSE(has_line(state.table_in_words(0), "? in hand"));
  CHECK(has_line(state.table_in_words(0), "2 in the bag"));
  const auto board = nlohmann::json::parse(api::describe(game))["boards"][0];
  CHECK(board["shows"]["text"] == "fired");   // the name of the displayed variable
  CHECK(board["shows"]["variable"].is_number());
}

TEST_CASE("pieces: a board shows the owners of its cells", "[pieces]") {
  const TemporaryFolder folder;
  const api::Game game = api::Ruleset::load(folder.write("rims.rules", R"(
game "Rims"
players 2
board field: grid 3 x 1 { shows whose(it) "rim" }
function whose(c: cell): player? = if c == a1 then seat(1) else if c == c1 then seat(2) else none
play { winners nobody }
)"))
                             .compile();
  const api::State state = game.new_state(1);
  CHECK(has_line(state.table_in_words(0), "1  a . b"));
  CHECK(has_line(state.table_in_words(0), "a: rim of a, b: rim of b"));
  for (const api::Thing& thing : api::things(state, 0))
    if (thing.key == "g0") CHECK(thing.value == R"({"cells":[{"seat":0},null,{"seat":1}]})");
  const auto cells = nlohmann::json::parse(state.view(0))["boards"][0]["shows"]["cells"];
  CHECK(cells == nlohmann::json::array({"a", nullptr, "b"}));
}
