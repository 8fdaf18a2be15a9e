// Stores the results of games as sums of integers, which do not depend on the order of addition, the threads or the
// machine.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "simulation/draw_wins.h"
#include "simulation/tally.h"
#include "cardwright/observing.hpp"
#include "simulation/statistics/sequential.h"

namespace cardwright::statistics {

// Sums of one side.
struct SideSums {
  std::uint64_t n = 0;
  Wide sum = 0, squares = 0;
  void add(std::int64_t x) { ++n, sum += x, squares += static_cast<Wide>(x) * x; }
  void add(const SideSums& other) { n += other.n, sum += other.sum, squares += other.squares; }
};

nlohmann::ordered_json written(const SideSums& sums);
SideSums side_of(const nlohmann::ordered_json& json);   // throws the exceptions of at(), or Error(caller)

// Sums of a row over pairs of games.
struct PairSums {
  SideSums a, b;   // sums over all games with a value
  SideSums both_a, both_b;   // sums over the pairs in which both games have a value
  Wide products = 0;   // Σ ab
  // Minimum and maximum of b - a over the pairs.
  std::int64_t least = std::numeric_limits<std::int64_t>::max(), most = std::numeric_limits<std::int64_t>::min();

  void add(const api::Observation& a, const api::Observation& b);
  void add(const PairSums& other);
  std::uint64_t pairs() const { return both_a.n; }
  // difference() is Σ(b - a), and squares() is Σ(b - a)².
  Wide difference() const { return both_b.sum - both_a.sum; }
  Wide squares() const { return both_a.squares + both_b.squares - 2 * products; }
};

// Results of pairs of a run between two boundaries of the schedule.
struct PairBatch {
  std::vector<PairSums> rows;
  std::vector<api::Histogram> amounts_a, amounts_b;   // by row; empty for shares
  api::FailureCounts failures_a, failures_b;
  api::DrawWins draws_a, draws_b;   // used if effects of cards are compared

  explicit PairBatch(std::size_t count = 0, std::size_t kinds_a = 0, std::size_t kinds_b = 0)
      : rows(count), amounts_a(count), amounts_b(count), draws_a(kinds_a), draws_b(kinds_b) {}
  void add(const PairBatch& other);
  nlohmann::ordered_json json() const;
  void add(const nlohmann::ordered_json& json);   // throws the exceptions of at(), or Error(caller)
};

}   // namespace cardwright::statistics
