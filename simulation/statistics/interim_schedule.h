// The schedule of interim looks of a comparison, and the confidence sequence of a row.
#pragma once

#include <cstdint>
#include <vector>

#include "simulation/statistics/sums.h"

namespace cardwright::statistics {

inline constexpr double kLevel = 0.05;   // of all intervals, and of false discoveries

// The n-th boundary between batches: 16, 48, 112, 240, then the interim looks n_k = ceil(250 · 2^(k/4)). The schedule
// does not depend on time, so a run ends at the same game on every machine.
std::uint64_t border(std::size_t n);
bool is_look(std::size_t n);   // the boundary is an interim look

// The same row in both games.
struct PairedRow {
  std::size_t a = 0, b = 0;   // its indexes
  api::ObservedRow row;   // `one` is the same in both
  bool paired = true;
  double hoped = 1'000;   // see BoundedMean; of amounts: pairs
};

// The confidence sequence of a row after some batches.
class RowSequence {
 public:
  explicit RowSequence(const PairedRow& row);
  // `sum` is the total of `batch` and all earlier batches.
  void add(const PairSums& batch, const PairSums& sum);

  Estimate side_a() const { return side(sum_.a); }
  Estimate side_b() const { return side(sum_.b); }
  // b - a with its interval of level `alpha`; no interval if there are too few pairs.
  Estimate difference(double alpha) const;
  double log_evidence() const;   // against no difference
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
  BoundedMean difference_, a_, b_;   // the last two are used if games are not paired
};

}   // namespace cardwright::statistics
