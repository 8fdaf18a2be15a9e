// At how many pairs of a run one looks, and what is seen there.
#pragma once

#include <cstdint>
#include <vector>

#include "simulation/statistics/sums.h"

namespace cardwright::statistics {

inline constexpr double kLevel = 0.05;   // of all intervals and of false discoveries

// The n-th border between batches: 16, 48, 112, 240, then the looks n_k = ceil(250 · 2^(k/4)). No clock moves them, so
// a run ends at the same game on every machine.
std::uint64_t border(std::size_t n);
bool is_look(std::size_t n);   // … whether it is a look

// What one row is, in both games.
struct PairedRow {
  std::size_t a = 0, b = 0;   // its places
  api::ObservedRow row;   // `one` is the same in both
  bool paired = true;
  double hoped = 1'000;   // see BoundedMean; of amounts: pairs
};

// What is known of a row after some batches.
class RowSequence {
 public:
  explicit RowSequence(const PairedRow& row);
  // `batch` and all before it together.
  void add(const PairSums& batch, const PairSums& sum);

  Estimate side_a() const { return side(sum_.a); }
  Estimate side_b() const { return side(sum_.b); }
  // b - a, with the interval of that level; none where it can't be said yet.
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
  BoundedMean difference_, a_, b_;   // the last two where they are not paired
};

}   // namespace cardwright::statistics
