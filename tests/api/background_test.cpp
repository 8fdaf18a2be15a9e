// Tests the background compiler: games do not depend on when it finishes, and it stops when its code is not needed.
#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <string>
#include <thread>

#include "cardwright/tools.hpp"
#include "tests/support/command.h"

using namespace cardwright;
using namespace cardwright::test;

TEST_CASE("a run switches to compiled code in its middle", "[start]") {
  constexpr std::uint64_t kGames = 300'000;
  const api::Ruleset rules = api::Ruleset::load("connect_four");
  const std::uint64_t expected = api::simulate(rules.compile(), {.games = kGames}).digest;
  const api::Game game = rules.compile({}, api::EngineKind::automatic);
  const api::Statistics first = api::simulate(game, {.games = kGames});
  CHECK(first.digest == expected);
  CHECK(first.compiled_games > 0);
  CHECK(first.compiled_games < kGames);
  const api::Statistics second = api::simulate(game, {.games = kGames});
  CHECK(second.digest == expected);
  CHECK(second.compiled_games == kGames);
  CHECK(second.compile_seconds == 0);
}

TEST_CASE("a short run is interpreted, and nothing is compiled for it", "[start]") {
  const api::Ruleset rules = api::Ruleset::load("splash");
  const api::Game game = rules.compile({}, api::EngineKind::automatic);
  const api::Statistics run = api::simulate(game, {.games = 60});
  CHECK(run.compiled_games == 0);
  CHECK(run.compile_seconds == 0);
  CHECK(!api::compiles_in_background());
}

TEST_CASE("stepwise games switch to compiled code, function by function", "[start]") {
  const api::Ruleset rules = api::Ruleset::load("crazy_eights");
  const api::Game plain = rules.compile(), mixed = rules.compile({}, api::EngineKind::automatic);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(3);
  for (std::uint64_t i = 0; i < 300 || std::chrono::steady_clock::now() < end; ++i) {
    api::State a = plain.new_state(1, i), b = mixed.new_state(1, i);
    while (!a.is_over()) {
      const std::size_t choice = a.random_index();
      if (!std::ranges::equal(a.legal(), b.legal()) || b.random_index() != choice)
        FAIL("game " << i << " goes another way");
      a.apply(choice);
      b.apply(choice);
    }
    REQUIRE(b.is_over());
    REQUIRE(a.whole_hash() == b.whole_hash());
  }
}

TEST_CASE("a compiler whose code is no longer needed stops", "[start]") {
  const api::Ruleset rules = api::Ruleset::load("splash");
  for (int i = 0; i < 5; ++i) {
    {
      const api::Game game = rules.compile({}, api::EngineKind::automatic);
      std::atomic<bool> stop{false};
      api::SimulateSettings long_run{.games = 10'000'000};
      long_run.stop = &stop;
      long_run.progress = [&](std::uint64_t) { stop = true; };   // called after a tenth of a second
      CHECK(api::simulate(game, long_run).stopped);
      CHECK(api::compiles_in_background());
      std::this_thread::sleep_for(std::chrono::milliseconds(40 * i));
    }
    CHECK(!api::compiles_in_background());
  }
}

TEST_CASE("short runs finish correctly at any stage of the compiler", "[start]") {
  const Ran first = run("simulate splash --games 1 --engine interp");
  REQUIRE(first.code == 0);
  const std::string says = first.out.substr(first.out.find("digest"));
  for (int i = 0; i < 15; ++i) {
    // The compiler starts after 16 games, so some runs end while it is working.
    const Ran ran = run("simulate splash --games " + std::to_string(i % 3 == 0 ? 1 : 30 * i));
    REQUIRE(ran.code == 0);
    CHECK(ran.err == "");
    if (i % 3 == 0) CHECK(has(ran.out, says));
  }
}
