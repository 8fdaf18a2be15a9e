// Is one policy better than another by so much, or not? The sequential probability ratio test of chess engines'
// testers, for pairs of games with the seats exchanged (fishtest, LLRcalc.py; bounds in normalised Elo as in its pull
// request 914).
#pragma once

#include <array>
#include <cstdint>

namespace cardwright::statistics {

// How many pairs came to 0, ¼, ½, ¾ and all of the points.
using PairResults = std::array<std::uint64_t, 5>;

// Between the hypotheses "better by n0" and "better by n1", in normalised Elo: 347.4 times the mean advantage over ½ of
// a game, in deviations of a game. Each is wrongly refused in at most 5 % of tests.
struct Sprt {
  double n0 = 0, n1 = 10;
  static constexpr double kBound = 2.944438979166440;   // log(0.95 / 0.05)

  // The log of how much likelier these results are by n1 than by n0 (maximum likelihood laws of that t-value); 0 of no
  // pairs.
  double log_ratio(const PairResults& results) const;
};

}   // namespace cardwright::statistics
