// Reduces histograms to bars.
#include "tools/report/bars.h"

#include <algorithm>

namespace cardwright::report {

namespace {

constexpr std::int64_t kMostBars = 48;
constexpr double kShown = 0.999;   // minimum share of games within the bars; the others are counted as beyond

std::uint64_t games_of(const std::vector<statistics::Bin>& histogram) {
  std::uint64_t games = 0;
  for (const statistics::Bin& bin : histogram) games += bin.games;
  return games;
}

// Returns the smallest step of 1, 2, 5, 10, 20 … that results in an acceptable number of bars.
std::int64_t step_for(std::int64_t range) {
  std::int64_t power = 1;
  for (;; power *= 10)
    for (const std::int64_t one : {1, 2, 5})
      if (range / (one * power) < kMostBars) return one * power;
}

std::int64_t floor_to(std::int64_t value, std::int64_t step) {
  const std::int64_t rest = value % step;
  return value - (rest < 0 ? rest + step : rest);
}

void fill(const std::vector<statistics::Bin>& histogram, const Bars& bars, std::vector<std::uint64_t>& into,
          std::uint64_t& beyond) {
  for (const statistics::Bin& bin : histogram) {
    const auto at = static_cast<std::size_t>((bin.from - bars.from) / bars.step);
    (at < into.size() ? into[at] : beyond) += bin.games;
  }
}

}   // namespace

std::int64_t quantile(const std::vector<statistics::Bin>& histogram, double share) {
  const double wanted = share * static_cast<double>(games_of(histogram));
  std::uint64_t games = 0;
  for (const statistics::Bin& bin : histogram)
    if (games += bin.games; static_cast<double>(games) >= wanted) return bin.from;
  return histogram.empty() ? 0 : histogram.back().to;
}

Bars bars_of(const statistics::Figure& row) {
  Bars out;
  if (row.histogram.empty()) return out;
  std::int64_t low = row.histogram.front().from, high = quantile(row.histogram, kShown);
  out.most = row.histogram.back().to;
  if (!row.histogram_b.empty()) {
    low = std::min(low, row.histogram_b.front().from);
    high = std::max(high, quantile(row.histogram_b, kShown));
    out.most = std::max(out.most, row.histogram_b.back().to);
  }
  out.step = step_for(high - low);
  out.from = floor_to(low, out.step);
  const auto count = static_cast<std::size_t>((high - out.from) / out.step + 1);
  out.games_a = games_of(row.histogram);
  out.games_b = games_of(row.histogram_b);
  out.a.resize(count);
  fill(row.histogram, out, out.a, out.beyond_a);
  if (!row.histogram_b.empty()) {
    out.b.resize(count);
    fill(row.histogram_b, out, out.b, out.beyond_b);
  }
  return out;
}

}   // namespace cardwright::report
