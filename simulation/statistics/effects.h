// Compares the effect of drawing a card in two games. The effect is the win rate of players who draw the card, minus
// the win rate of all players in the same stratum (DrawWins).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "simulation/draw_wins.h"
#include "cardwright/statistics.hpp"
#include "simulation/statistics/sequential.h"

namespace cardwright::statistics {

inline constexpr const char* kEffects = "cards: increase in the win rate when drawn";

// A card type that both games have, and its number in each game.
struct PairedCard {
  std::size_t a = 0, b = 0;
  std::string name;
};

// The effect of a card in both games and the difference, after some pairs. The effect is computed from all games
// together. Its variance is estimated from batches of pairs with the same deals on both sides, so the interval is
// asymptotic; it is widened because there are only 32 batches. Effects are differences of win rates, from -1 to 1.
class EffectSequence {
 public:
  explicit EffectSequence(const PairedCard& card) : card_(card) {}
  // Updates the figures with the results of all pairs so far.
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
  double deviation_ = 0;   // standard deviation, scaled to a single pair
  bool is_settled_ = false;
};

}   // namespace cardwright::statistics
