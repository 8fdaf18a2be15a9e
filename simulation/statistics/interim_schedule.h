// Defines the schedule of a comparison's interim results, and the confidence sequence of a row.
#pragma once

#include <cstdint>
#include <vector>

#include "simulation/statistics/sums.h"

namespace cardwright::statistics {

inline constexpr double kLevel = 0.05;   // error probability of each interval, and false discovery rate

// Returns the n-th boundary between batches as a number of pairs: 16, 48, 112, 240, then n_k = ceil(250 · 2^(k/4)).
// Interim results are computed at the boundaries n_k. The schedule does not depend on time, so a run ends at the same
// game on every machine.
std::uint64_t border(std::size_t n);
bool is_analysis(std::size_t n);   // true if interim results are computed at this boundary

// A row that both games have.
struct PairedRow {
  std::size_t a = 0, b = 0;   // index of the row in each game
  api::ObservedRow row;   // `row.one` is equal in both games
  bool paired = true;
  // Amount of data at which the interval is narrowest: for shares, a sum of squared deviations (BoundedMean); for
  // amounts, a number of pairs (FreeMean).
  double hoped = 1'000;
};

// The confidence sequence of a row after some batches.
class RowSequence {
 public:
  explicit RowSequence(const PairedRow& row);
  // `sum` is the total of `batch` and all earlier batches.
  void add(const PairSums& batch, const PairSums& sum);

  Estimate side_a() const { return side(sum_.a); }
  Estimate side_b() const { return side(sum_.b); }
  // Returns the difference b - a with its interval, whose error probability is `alpha`; no interval for too few pairs.
  Estimate difference(double alpha) const;
  double log_evidence() const;   // logarithm of the e-value against the hypothesis of no difference
  double correlation() const;
  std::uint64_t pairs() const { return sum_.pairs(); }

 private:
  Estimate side(const SideSums& sums) const;
  double scale() const { return static_cast<double>(row_.row.one); }
  bool is_share() const { return row_.row.kind == api::ObservedRow::Kind::share; }
  bool is_settled() const;
  FreeMean free_mean() const;

  PairedRow row_;
  PairSums sum_;
  BoundedMean difference_, a_, b_;   // `a_` and `b_` are used if the row is not paired
};

}   // namespace cardwright::statistics
