// Tests whether one policy is better than another by a given margin: the sequential probability ratio test that chess
// engine testers use, for pairs of games with swapped seats (fishtest, LLRcalc.py; bounds in normalized Elo as in
// fishtest pull request 914).
#pragma once

#include <array>
#include <cstdint>

namespace cardwright::statistics {

// Number of pairs in which the first side got 0, ¼, ½, ¾ and all of the points.
using PairResults = std::array<std::uint64_t, 5>;

// Decides between the hypotheses "better by n0" and "better by n1", in normalized Elo: 347.4 times the mean advantage
// over ½ per game, in standard deviations of a game. Each error probability is at most 5 %.
struct Sprt {
  double n0 = 0, n1 = 10;
  static constexpr double kBound = 2.944438979166440;   // log(0.95 / 0.05)

  // Returns the log-likelihood ratio of n1 to n0 for these results; 0 if there are no pairs. For each hypothesis, the
  // likelihood is that of the most likely distribution with the hypothesis's t-value.
  double log_ratio(const PairResults& results) const;
};

}   // namespace cardwright::statistics
