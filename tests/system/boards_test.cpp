// Games on boards. (How long they are, and that engines agree on them: classics_test.cpp; masks and rims: rules/rims.rules.)
#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include "cardwright/cardwright.hpp"

using namespace cardwright;

TEST_CASE("boards: everybody sees what lies on them", "[boards]") {
  const api::Game game = api::Ruleset::load("breakthrough").compile();
  api::State state = game.new_state(5);
  state.apply(0);
  const auto seen = [&](int player) { return nlohmann::json::parse(state.view(player))["variables"]; };
  CHECK(seen(0) == seen(1));
  CHECK(seen(0) == seen(-1));
  for (const auto& variable : seen(1))
    if (variable["name"] == "men" && variable["owner"] == "b") CHECK(variable["value"] == nlohmann::json::array({
        "a7", "b7", "c7", "d7", "e7", "f7", "g7", "h7", "a8", "b8", "c8", "d8", "e8", "f8", "g8", "h8"}));
}
