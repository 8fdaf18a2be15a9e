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
  double width = 0;   // mean of half an interval at about 10^5 games, Wald's = 1; 0: not reached
};

// Win rates of 0.2, 0.01 and 0.001 of one game, the difference of two that differ in 5 % of pairs each way, and that of
// the lengths of Splash in turns; `looks`: the number of interim results at n_k = 250 · 2^(k/4), at most 49 (10^6).
std::vector<Covered> coverage(int runs, std::size_t looks, std::uint64_t seed);

struct FoundFalsely {
  double any = 0;   // 40 rows without a difference: share of runs that found one
  double share = 0;   // 30 of them and 10 with one: mean share of false ones among those found
  double power = 0;   // … and the share of the 10 that were found
};
FoundFalsely false_discoveries(int runs, std::size_t looks, std::uint64_t seed);

}   // namespace cardwright::test
