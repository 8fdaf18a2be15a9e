// Measures how often an interval of simulation/statistics contains the true value at every interim result of a run, by
// drawing the results of games from known distributions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cardwright::test {

struct Covered {
  std::string law;
  int runs = 0;
  double missed = 0;   // share of runs in which the interval excluded the true value at some interim result
  double width = 0;   // mean half-width at about 10^5 games, relative to Wald's interval; 0: not reached
};

// Returns the coverage for win rates of 0.2, 0.05, 0.01 and 0.001, for the difference of two win rates when each game
// wins alone in 5 % of the pairs, and for the difference of game lengths of Splash in turns. `analyses` is the number
// of interim results, which are at 250 · 2^(k/4) games; at most 49 (10^6 games).
std::vector<Covered> coverage(int runs, std::size_t analyses, std::uint64_t seed);

struct FoundFalsely {
  double any = 0;   // share of runs that find a difference in 40 rows without differences
  double share = 0;   // with 30 such rows and 10 with a difference: mean share of false findings among all findings
  double power = 0;   // with the same rows: mean share of the 10 differences that are found
};
FoundFalsely false_discoveries(int runs, std::size_t analyses, std::uint64_t seed);

}   // namespace cardwright::test
