// Reduces histograms to a drawable number of bars, with the same bars for both games.
#pragma once

#include <cstdint>
#include <vector>

#include "cardwright/statistics.hpp"

namespace cardwright::report {

struct Bars {
  std::int64_t from = 0, step = 1;   // bar i covers the values from + i · step to from + (i + 1) · step - 1
  std::vector<std::uint64_t> a, b;   // number of games per bar; `b` is empty if there is only one side
  std::uint64_t games_a = 0, games_b = 0;   // number of all games, including games above the last bar
  std::uint64_t beyond_a = 0, beyond_b = 0;   // number of games above the last bar: at most one in a thousand
  std::int64_t most = 0;   // the largest value
};

Bars bars_of(const statistics::Figure& row);
// Returns the smallest value that at least this share (0 to 1) of all games does not exceed.
std::int64_t quantile(const std::vector<statistics::Bin>& histogram, double share);

}   // namespace cardwright::report
