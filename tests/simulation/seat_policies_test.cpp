// Tests the notation of policies, and games in which each seat has its own policy.
#include <catch2/catch.hpp>

#include <functional>
#include <string>
#include <vector>

#include "simulation/playouts.h"
#include "simulation/seats.h"
#include "simulation/tally.h"
#include "cardwright/cardwright.hpp"
#include "tests/support/has.h"
#include "api/game/game_data.h"

using namespace cardwright::api;

namespace {

using Kind = PlayerPolicy::Kind;
using cardwright::test::has;

std::string refusal(const std::function<void()>& what) {
  try {
    what();
  } catch (const Error& error) {
    CHECK(error.blame() == Blame::caller);
    return error.what();
  }
  return {};
}

SimulateSettings seats(const std::vector<std::string>& given, int players, std::uint64_t games) {
  SimulateSettings settings;
  settings.games = games;
  settings.policies = policies_from(given, players);
  return settings;
}

}   // namespace

TEST_CASE("policies: each policy has one canonical notation", "[policies]") {
  for (const char* text : {"uniform", "sensible", "careful", "bots:200", "flat:1", "bots:0.2s", "flat:3s"})
    CHECK(text_of(policy_from(text)) == text);
  CHECK(policy_from("bots:200").iterations == 200);
  CHECK(policy_from("flat:0.25s").seconds == 0.25);
  CHECK(policy_from("flat:0.25s").is_timed());
  CHECK_FALSE(policy_from("bots:5").is_timed());
  CHECK(policy_from("careful").kind == Kind::named);
  for (const char* text :
       {"", "bots", "flat", "bots:", "bots:x", "bots:-1", "bots:2m", "cats:2", "2", "a b", "bots:1.5", "bots:0.2 s"}) {
    INFO(text);
    CHECK(has(refusal([&] { policy_from(text); }), "unknown policy"));
  }
  CHECK(has(refusal([&] { policy_from("bots:0"); }), "expected 1 to 1000000000"));
  CHECK(has(refusal([&] { policy_from("bots:0s"); }), "expected 0.001 to 86400"));
  CHECK(has(refusal([&] { policy_from("flat:1e9s"); }), "expected 0.001 to 86400"));
}

TEST_CASE("policies: one policy for everyone, or one per seat in any order", "[policies]") {
  const auto texts = [](const std::vector<std::string>& given, int players) {
    std::vector<std::string> all;
    for (const PlayerPolicy& one : policies_from(given, players)) all.push_back(text_of(one));
    return all;
  };
  using All = std::vector<std::string>;
  CHECK(texts({}, 3) == All{});
  CHECK(texts({"sensible"}, 2) == All{"sensible", "sensible"});
  CHECK(texts({"b=bots:7", "careful"}, 3) == All{"careful", "bots:7", "careful"});
  CHECK(texts({"c=flat:7"}, 3) == All{"uniform", "uniform", "flat:7"});
  CHECK(has(refusal([] { policies_from({"d=uniform"}, 3); }), "unknown seat `d`; seats are a to c"));
  CHECK(has(refusal([] { policies_from({"?=uniform"}, 3); }), "unknown seat `?`"));
  CHECK(has(refusal([] { policies_from({"a=uniform", "a=sensible"}, 3); }), "duplicate policy for seat a"));
  CHECK(has(refusal([] { policies_from({"uniform", "sensible"}, 3); }), "duplicate policy for everybody"));
  CHECK(policies_named({"a=careful", "bots:3", "bold", "b=careful"}) == All{"careful", "bots", "bold"});
  CHECK(policies_named({"sensible"}) == All{});   // empty, because all seats have the same built-in policy
  CHECK(policies_named({"a=sensible"}) == All{"sensible"});
  CHECK(policies_named({"uniform"}) == All{});
}

TEST_CASE("policies: playing decision by decision gives the same games", "[policies]") {
  for (const char* name : {"splash", "crazy_eights", "kill_shot", "splatter_shoot"}) {
    INFO(name);
    const Game game = Ruleset::load(name).compile({}, EngineKind::interpreter);
    for (const char* policy : {"uniform", "sensible"}) {
      const SimulateSettings settings = seats({policy}, game.players(), 3);
      if (std::string(policy) == "sensible" && game.data()->program().sensible_only < 0) continue;
      detail::Playouts whole(*game.data(), settings);
      const detail::SeatedPlay stepped(*game.data(), settings);
      std::vector<cardwright::Byte> end(game.state_size());
      Tally one(*game.data()), other(*game.data());
      for (std::uint64_t i = 0; i < settings.games; ++i) {
        whole.play(i);
        one.add(i, whole.state(), whole.failure());
        other.add(i, end.data(), stepped.play(i, end.data(), nullptr).get());
      }
      Statistics first, second;
      one.report(first);
      other.report(second);
      CHECK(first.digest == second.digest);
    }
  }
}

TEST_CASE("policies: different policies per seat give the same result with any number of threads, and as a trace",
          "[policies]") {
  const Game game = Ruleset::load("crazy_eights").compile({.players = 3}, EngineKind::interpreter);
  SimulateSettings settings = seats({"b=bots:12", "c=flat:5"}, 3, 12);
  settings.threads = 1;
  const Statistics one = simulate(game, settings);
  settings.threads = 3;
  const Statistics three = simulate(game, settings);
  CHECK(one.digest == three.digest);
  CHECK(one.games == 12);
  CHECK(one.asked_sample == 0);
  REQUIRE(one.groups.back().name == "policy");
  REQUIRE(one.groups.back().shares.size() == 3);
  CHECK(one.groups.back().shares[1].name == "bots:12");
  CHECK(trace(game, settings, "/dev/null").digest == one.digest);
  settings.policies = policies_from({"uniform"}, 3);
  CHECK(simulate(game, settings).digest != one.digest);
}

TEST_CASE("policies: unknown policies are rejected", "[policies]") {
  const Game game = Ruleset::load("crazy_eights").compile({.players = 2}, EngineKind::interpreter);
  const auto refused = [&](const std::vector<std::string>& given) {
    return refusal([&] { simulate(game, seats(given, 2, 1)); });
  };
  CHECK(has(refused({"a=bots:0.2s"}), "depends on the speed of the machine"));
  CHECK(has(refused({"careful"}), "Crazy Eights was compiled without policy `careful`"));
  CHECK(has(refused({"a=sensible"}), "no action has `sensible if`"));
  SimulateSettings many;
  many.policies.resize(3);
  CHECK(has(refusal([&] { simulate(game, many); }), "3 policies for 2 players"));
}
