// A histogram with few enough bars to be drawn, the same ones for both games.
#pragma once

#include <cstdint>
#include <vector>

#include "cardwright/statistics.hpp"

namespace cardwright::report {

struct Bars {
  std::int64_t from = 0, step = 1;   // bar i is of the values from + i · step to from + (i + 1) · step - 1
  std::vector<std::uint64_t> a, b;   // games; `b` is empty for one game
  std::uint64_t games_a = 0, games_b = 0;   // all, with those beyond
  std::uint64_t beyond_a = 0, beyond_b = 0;   // with more than the last bar: one in a thousand of both at most
  std::int64_t most = 0;   // the greatest value of all
};

Bars bars_of(const statistics::Figure& row);
// The least value that so many of all games (0 to 1) do not exceed.
std::int64_t quantile(const std::vector<statistics::Bin>& histogram, double share);

}   // namespace cardwright::report
