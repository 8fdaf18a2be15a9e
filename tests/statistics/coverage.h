// Measures how often the intervals of simulation/statistics contain the true value at all interim results together, by
// simulating games with known distributions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cardwright::test {

struct Covered {
  std::string law;
  int runs = 0;
  double missed = 0;   // share of runs in which the interval was wrong at some interim result
  double width = 0;   // mean of half an interval at about 10^5 games, relative to Wald's interval; 0: not reached
};

// Returns the coverage for win rates of 0.2, 0.01 and 0.001 of one game, for the difference of two win rates that
// differ in 5 % of pairs each way, and for the difference of the lengths of Splash in turns. `analyses` is the number of
// interim results at n_k = 250 · 2^(k/4), at most 49 (10^6).
std::vector<Covered> coverage(int runs, std::size_t analyses, std::uint64_t seed);

struct FoundFalsely {
  double any = 0;   // 40 rows without a difference: share of runs that found one
  double share = 0;   // 30 rows without and 10 with a difference: mean share of false ones among those found
  double power = 0;   // the same rows: mean share of the 10 that were found
};
FoundFalsely false_discoveries(int runs, std::size_t analyses, std::uint64_t seed);

}   // namespace cardwright::test
