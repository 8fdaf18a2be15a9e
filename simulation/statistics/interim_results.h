// What is known of all rows after some pairs, and whether that is enough.
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

class Looking {
 public:
  // What is the same within the margin, and how wide intervals may be; see CompareSettings.
  Looking(const PairedRows& rows, double margin, double until, std::uint64_t most);
  void add(const PairBatch& batch, std::uint64_t pairs);
  // Makes up its mind about every row.
  void look();

  std::size_t main_rows() const;   // those that are waited for, …
  std::size_t open_rows() const;   // … and are not decided
  // Whether it is enough, and why.
  std::optional<Stopped> end() const;
  // Pairs until all is decided or precise, as the widths say.
  std::uint64_t estimate() const;

  Figures figures() const;
  const PairBatch& sum() const { return sum_; }
  std::size_t found() const { return found_; }   // rows that differ
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
  const std::uint64_t most_;   // pairs
  PairBatch sum_;
  std::vector<RowSequence> sequences_;
  std::vector<EffectSequence> effects_;   // of cards: rows behind the others
  std::vector<bool> differs_;
  std::vector<Estimate> differences_;
  std::vector<Verdict> verdicts_;
  std::size_t found_ = 0;
  std::uint64_t pairs_ = 0;
};

}   // namespace cardwright::statistics
