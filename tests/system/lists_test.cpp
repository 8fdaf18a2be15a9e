// Lists in the State as people and tools see them. (That engines agree on them: rules/queues.rules in differential_test.cpp.)
#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include "cardwright/tools.hpp"
#include "tests/system/differential.h"
#include "tests/system/places.h"

using namespace cardwright;
using namespace cardwright::test;
using nlohmann::json;

namespace {

json variable(const api::State& state, int player, const std::string& name, const std::string& owner = "") {
  const json view = json::parse(state.view(player));
  for (const json& v : view["variables"])
    if (v["name"] == name && (owner.empty() || v["owner"] == owner)) return v["value"];
  return nullptr;
}

}  // namespace

TEST_CASE("lists: seen as they are, saved and restored", "[lists]") {
  const api::Game game = api::Ruleset::load(checkout("tests/system/rules/queues.rules")).compile();
  int filled = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    api::State state = game.new_state(seed);
    for (int step = 0; step < 40 && !state.is_over(); ++step) {
      state.apply(static_cast<int>((seed + static_cast<std::uint64_t>(step) * 7) % state.legal().size()));
      const json line = variable(state, 0, "line"), everything = json::parse(state.everything())["variables"]["line"];
      REQUIRE(line.is_array());
      REQUIRE(line.size() <= 8);
      CHECK(line.size() == everything.size());
      CHECK(variable(state, 1, "wants", "a") == variable(state, -1, "wants", "a"));
      filled += !line.empty();
    }
    const api::State again = game.restore(state.save());
    CHECK(again.whole_hash() == state.whole_hash());
    CHECK(again.view(0) == state.view(0));
  }
  CHECK(filled > 20);
}

TEST_CASE("teams: partners see what others don't", "[lists]") {
  const api::Game game = api::Ruleset::load(checkout("tests/system/rules/teams.rules")).compile({4, {}});
  const api::State state = game.new_state(3);
  const auto seen = [&](int player) {
    const json view = json::parse(state.view(player));
    int known = 0;
    for (const json& zone : view["zones"])
      if (zone["name"] == "net" && zone["owner"] == "c")
        for (const json& card : zone["cards"]) known += !card.is_null();
    return known;
  };
  CHECK(seen(0) == 3);
  CHECK(seen(2) == 3);
  CHECK(seen(1) == 0);
}
