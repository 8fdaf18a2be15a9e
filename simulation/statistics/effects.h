// How much more often who draws a card wins, compared at the same draw, in two games: what is known of the difference
// after some pairs.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "simulation/figure_tally.h"
#include "cardwright/statistics.hpp"
#include "simulation/statistics/sequential.h"

namespace cardwright::statistics {

inline constexpr const char* kEffects = "cards: how much more often who draws one wins, at the same draw";

// A kind of cards that both games have, by its numbers there.
struct PairedCard {
  std::size_t a = 0, b = 0;
  std::string name;
};

// The figure is one of all games together. How it varies is seen from batches of pairs, the same deals on both sides;
// so the interval is asymptotic, and widened for there being 32 of them. Values are shares of 1.
class EffectSequence {
 public:
  explicit EffectSequence(const PairedCard& card) : card_(card) {}
  // Of all pairs so far.
  void see(const api::DrawWins& a, const api::DrawWins& b, std::uint64_t pairs);
  const Estimate& side_a() const { return a_; }
  const Estimate& side_b() const { return b_; }
  Estimate difference(double alpha) const;
  double log_evidence() const;

 private:
  FreeMean mean() const { return {pairs_, b_.value - a_.value, deviation_, kHopedPairs}; }
  static constexpr double kHopedPairs = 20'000;

  PairedCard card_;
  Estimate a_, b_;
  std::uint64_t pairs_ = 0;
  double deviation_ = 0;   // as if of a single pair
  bool is_settled_ = false;
};

}   // namespace cardwright::statistics
