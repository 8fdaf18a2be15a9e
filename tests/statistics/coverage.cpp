// Prints the coverage of the intervals in simulation/statistics, measured with a number of runs: bin/coverage 20000.
#include <cstdlib>

#include <fmt/format.h>

#include "tests/statistics/coverage.h"

int main(int argc, char** argv) {
  using namespace cardwright::test;
  const int runs = argc > 1 ? std::atoi(argv[1]) : 1'000;
  if (runs < 1) return fmt::print(stderr, "coverage: say how many runs, from 1\n"), 2;
  fmt::print("{:<24}{:>8}{:>10}{:>8}\n", "law", "runs", "missed", "width");
  for (const Covered& c : coverage(runs, 49, 1))
    fmt::print("{:<24}{:>8}{:>8.2f} %{:>8.2f}\n", c.law, c.runs, 100 * c.missed, c.width);
  const FoundFalsely found = false_discoveries(std::max(1, runs / 10), 45, 1);
  fmt::print(
      "\n40 rows without a difference, one found: {:.2f} % of runs\n"
      "10 of 40 with one: {:.2f} % of those found are false, {:.1f} % of the ten are found\n",
      100 * found.any, 100 * found.share, 100 * found.power);
}
