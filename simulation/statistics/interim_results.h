// Computes the interim results of a comparison for all rows, and determines whether the comparison can stop.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cardwright/statistics.hpp"
#include "simulation/statistics/effects.h"
#include "simulation/statistics/interim_schedule.h"
#include "simulation/statistics/pairs.h"
#include "simulation/statistics/sums.h"

namespace cardwright::statistics {

class InterimResults {
 public:
  // `margin` and `until` have the same meaning as in CompareSettings.
  InterimResults(const PairedRows& rows, double margin, double until, std::uint64_t most);
  void add(const PairBatch& batch, std::uint64_t pairs);
  // Computes the verdict of every row.
  void analyze();

  std::size_t main_rows() const;   // number of rows that must be decided before the comparison ends
  std::size_t open_rows() const;   // number of these rows that are still undecided
  // Returns the reason why the comparison stops now; empty if it continues.
  std::optional<Stopped> end() const;
  // Returns the estimated number of pairs until all main rows are decided or precise, based on the widths of their
  // intervals.
  std::uint64_t estimate() const;

  Figures figures() const;
  const PairBatch& sum() const { return sum_; }
  std::size_t found() const { return found_; }   // number of rows that differ
  std::uint64_t pairs() const { return pairs_; }

 private:
  bool is_waited_for(std::size_t row) const;
  bool is_precise() const;
  double unit_of(std::size_t row) const;
  double margin_of(std::size_t row) const;
  double half(std::size_t row) const;
  std::size_t rows() const { return sequences_.size() + effects_.size(); }
  bool is_effect(std::size_t row) const { return row >= sequences_.size(); }
  Estimate difference(std::size_t row, double alpha) const;
  double log_evidence(std::size_t row) const;
  Figure figure(std::size_t row) const;
  Figure effect(std::size_t row) const;

  const PairedRows& rows_;
  const double margin_, until_;
  const std::uint64_t most_;   // maximum number of pairs
  PairBatch sum_;
  std::vector<RowSequence> sequences_;
  std::vector<EffectSequence> effects_;   // for the effects of cards, whose rows follow all other rows
  std::vector<bool> differs_;
  std::vector<Estimate> differences_;
  std::vector<Verdict> verdicts_;
  std::size_t found_ = 0;
  std::uint64_t pairs_ = 0;
};

}   // namespace cardwright::statistics
