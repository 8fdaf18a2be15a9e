// Tests lists in the state as people and tools see them. (differential_test.cpp tests with queues.rules that
// the engines agree.)
#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include "cardwright/tools.hpp"
#include "tests/support/differential.h"
#include "tests/support/files.h"

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

bool is_known(const api::State& state, int player, const std::string& name, const std::string& owner) {
  const json view = json::parse(state.view(player));
  for (const json& v : view["variables"])
    if (v["name"] == name && v["owner"] == owner) return v["known"].get<bool>();
  return false;
}

}   // namespace

TEST_CASE("lists: they are shown, saved and restored correctly", "[lists]") {
  const api::Game game = api::Ruleset::load(checkout("tests/rulesets/small/queues.rules")).compile();
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
  const api::Game game = api::Ruleset::load(checkout("tests/rulesets/small/teams.rules")).compile({4, {}});
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

TEST_CASE("lists of sets and of lists: they are shown, saved and restored correctly", "[lists]") {
  const api::Game game = api::Ruleset::load(checkout("tests/rulesets/small/handfuls.rules")).compile();
  std::size_t piles = 0, rows = 0, hidden = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    api::State state = game.new_state(seed);
    for (int step = 0; step < 60 && !state.is_over(); ++step) {
      state.apply(static_cast<int>((seed + static_cast<std::uint64_t>(step) * 7) % state.legal().size()));
      const json everything = json::parse(state.everything())["variables"];
      const json seen = variable(state, 1, "piles", "a"), lists = variable(state, 1, "rows", "a");
      REQUIRE(seen.size() == everything["piles"][0].size());
      for (std::size_t i = 0; i < seen.size(); ++i)
        CHECK(seen[i]["cards"].size() + seen[i]["unknown"].get<std::size_t>() == everything["piles"][0][i].size());
      CHECK(lists == everything["rows"][0]);
      CHECK(variable(state, 1, "walks", "a").size() == everything["walks"][0].size());
      piles += seen.size(), rows += lists.size();
      hidden += variable(state, 0, "secret_rows", "a").size() > 0 && !is_known(state, 1, "secret_rows", "a");
    }
    const api::State again = game.restore(state.save());
    CHECK(again.whole_hash() == state.whole_hash());
    CHECK(again.view(0) == state.view(0));
  }
  CHECK(piles > 100);
  CHECK(rows > 100);
  CHECK(hidden > 20);
}

TEST_CASE("lists of lists: a false claim reports the actual list", "[lists]") {
  const api::ScenarioRun run = api::run_scenarios(api::Ruleset::load(checkout("tests/rulesets/small/handfuls.rules")),
                                                  {api::EngineKind::interpreter});
  for (const api::ScenarioResult& result : run.results)
    if (!result.passed) CHECK(result.found == "it is [[1, 2], []]");
}
