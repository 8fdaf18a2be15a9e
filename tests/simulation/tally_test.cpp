// Tests that the statistics of a simulation are consistent with each other.
#include <catch2/catch.hpp>

#include "simulation/tally.h"
#include "cardwright/tools.hpp"

using namespace cardwright::api;

TEST_CASE("statistics: a median lies between the minimum and the maximum", "[api][statistics]") {
  for (const std::vector<std::int64_t>& values : {std::vector<std::int64_t>{70'000},
                                                  {70'100, 70'900},
                                                  {-5},
                                                  {-7, -3},
                                                  {0, 1'000'000'000},
                                                  {200'000'000, 300'000'000},
                                                  {3, 5, 9}}) {
    Histogram all;
    for (const std::int64_t value : values) all.add(value);
    const Spread spread = all.spread();
    INFO(values.front());
    CHECK(spread.least <= spread.median);
    CHECK(spread.median <= spread.most);
  }
}

TEST_CASE("statistics: the number of decisions with several options is at most the number of decisions",
          "[api][statistics]") {
  for (const char* name : {"tic_tac_toe", "connect_four", "leduc_poker", "crazy_eights"})
    for (const std::uint64_t games : {1, 101, 700}) {
      const Statistics s = simulate(Ruleset::load(name).compile(), {.games = games, .seed = 3, .threads = 1});
      INFO(name << ", " << games << " games");
      CHECK(s.asked_per_game <= double(s.decisions) / double(s.games) * (1 + 1e-12));
      CHECK(s.lengths.least <= s.lengths.median);
      CHECK(s.lengths.median <= s.lengths.most);
      if (s.has_turns) CHECK(s.turns.median <= s.turns.most);
    }
}
