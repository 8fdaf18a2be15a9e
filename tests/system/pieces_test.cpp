// Pieces as people see them. (What rules do with them, and that engines agree: rules/pieces.rules in differential_test.cpp.)
#include <algorithm>

#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include "tests/system/differential.h"
#include "tests/system/places.h"

using namespace cardwright;
using test::checkout;

namespace {

bool has_line(const std::vector<std::string>& lines, const std::string& part) {
  return std::any_of(lines.begin(), lines.end(), [&](const std::string& l) { return l.find(part) != std::string::npos; });
}

}  // namespace

TEST_CASE("pieces: logs, views and the table name them", "[pieces]") {
  const api::Game game = api::Ruleset::load(checkout("tests/system/rules/two_heroes.rules")).compile();
  api::Log log(game);
  api::State state = game.new_state(1, 0, &log);
  CHECK(has_line(log.lines(0), "hero of a comes to b2"));
  CHECK(has_line(log.lines(0), "shelf faces E"));
  const auto table = state.table_in_words(0);
  CHECK(has_line(table, "4  .  .  .  .  @b"));
  CHECK(has_line(table, "2  .  @a .  t  ."));
  CHECK(has_line(table, "1  .  .  .  t  ."));
  CHECK(has_line(table, "@: hero, t: thing"));
  CHECK_FALSE(has_line(table, "e4"));                      // the board shows it
  state.apply(0, &log);
  CHECK(has_line(log.lines(1), "hero of a: b2 to c3"));
  CHECK(has_line(log.lines(1), "hero of a faces E"));
  CHECK(has_line(log.lines(0), "hero of a: luck is now 5"));
  CHECK_FALSE(has_line(log.lines(1), "luck"));
  const auto view = nlohmann::json::parse(state.view(1))["variables"];
  const auto of_a = [&](const std::string& name) {
    return *std::find_if(view.begin(), view.end(), [&](const auto& v) { return v["name"] == name && v.contains("piece") && v["piece"] == "hero of a"; });
  };
  CHECK(of_a("hero.at")["value"] == "c3");
  CHECK(of_a("hero.luck")["known"] == false);
  state.apply(1, &log);
  CHECK(has_line(log.lines(0), "hero of b leaves the board"));
}

TEST_CASE("pieces: who would leave the board is told with place and cause", "[pieces]") {
  const api::Game game = api::Ruleset::load(checkout("tests/system/rules/two_heroes.rules")).compile();
  api::State state = game.new_state(1);
  for (const std::size_t option : {0, 0, 2}) state.apply(option);
  REQUIRE(state.is_over());
  REQUIRE(state.failure());
  CHECK(state.failure()->text().find("shelf would leave the board at e4") != std::string::npos);
}

TEST_CASE("pieces: cards on a board are drawn and named", "[pieces]") {
  const api::Game game = api::Ruleset::load(checkout("tests/system/rules/board_cards.rules")).compile();
  api::Log log(game);
  api::State state = game.new_state(3, 0, &log);
  const auto lay = [&] {
    for (std::size_t i = 0; i < state.legal_count(); ++i)
      if (state.option(i).words.starts_with("lay: ")) return void(state.apply(i, &log));
    FAIL("nothing can be laid");
  };
  lay();
  CHECK(has_line(log.lines(1), "hand of a: "));
  CHECK(has_line(log.lines(1), " comes to "));
  const auto table = state.table_in_words(0);
  CHECK_FALSE(has_line(table, "field:"));                  // the board shows what lies there
  const auto view = nlohmann::json::parse(state.view(1))["variables"];
  CHECK(std::any_of(view.begin(), view.end(), [](const auto& v) { return v["name"] == "Barrier.at" && v.contains("card") && !v["value"].is_null(); }));
}

TEST_CASE("pieces: a board shows heights and edges where nothing lies", "[pieces]") {
  const api::Game game = api::Ruleset::load(checkout("tests/system/rules/shown_heights.rules")).compile();
  const api::State state = game.new_state(3);
  const auto table = state.table_in_words(0);
  CHECK(has_line(table, "  4 |.  .  .  .  .  g  .  "));     // a wall at the rim
  CHECK(has_line(table, "  3  .  .  ▓  .  .  "));
  CHECK(has_line(table, "  2  .  ░  █ |.  .  "));
  CHECK(has_line(table, "        --"));                     // between b2 and b3
  CHECK(has_line(table, "g: goal, ░: height up to 20, ▓: height up to 50, █: height up to 80"));
  CHECK(has_line(table, "| and -: walls"));
  CHECK_FALSE(has_line(table, "goal f4"));                  // it is drawn
  const auto shown = nlohmann::json::parse(state.view(1))["boards"][0]["shows"];
  CHECK(shown["text"] == "height");
  CHECK(shown["cells"][28 + 1] == 20);
}
