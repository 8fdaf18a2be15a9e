// Implements the sequential probability ratio test for pairs of games.
#include "cardwright/sprt.hpp"

#include <algorithm>
#include <cmath>

namespace cardwright::statistics {

namespace {

constexpr double kEloPerT = 347.43558552260146;   // 800 / ln 10
constexpr double kEmptyCell = 1e-3;
constexpr int kMostRounds = 10, kHalvings = 100;

using Law = std::array<double, 5>;
constexpr Law kValues = {0, 0.25, 0.5, 0.75, 1};

// Solves Σ p a / (1 + x a) = 0 for x by bisection. The values a must include negative and positive numbers.
double secular(const Law& p, const Law& a) {
  double low = -1 / *std::max_element(a.begin(), a.end()), high = -1 / *std::min_element(a.begin(), a.end());
  for (int i = 0; i < kHalvings; ++i) {
    const double x = (low + high) / 2;
    double sum = 0;
    for (std::size_t k = 0; k < p.size(); ++k) sum += p[k] * a[k] / (1 + x * a[k]);
    (sum > 0 ? low : high) = x;
  }
  return (low + high) / 2;
}

// Returns the distribution with the maximum likelihood for the observed shares `seen`, among those whose mean is t
// standard deviations above ½.
Law likeliest(const Law& seen, double t) {
  Law law;
  law.fill(1.0 / static_cast<double>(law.size()));
  for (int round = 0; round < kMostRounds; ++round) {
    double mean = 0, variance = 0, change = 0;
    for (std::size_t k = 0; k < law.size(); ++k) mean += law[k] * kValues[k];
    for (std::size_t k = 0; k < law.size(); ++k) variance += law[k] * (kValues[k] - mean) * (kValues[k] - mean);
    const double deviation = std::sqrt(variance);
    Law a;
    for (std::size_t k = 0; k < law.size(); ++k) {
      const double far = (mean - kValues[k]) / deviation;
      a[k] = kValues[k] - 0.5 - t * deviation * (1 + far * far) / 2;
    }
    const double x = secular(seen, a);
    for (std::size_t k = 0; k < law.size(); ++k) {
      const double next = seen[k] / (1 + x * a[k]);
      change = std::max(change, std::abs(next - law[k]));
      law[k] = next;
    }
    if (change < 1e-9) break;
  }
  return law;
}

}   // namespace

double Sprt::log_ratio(const PairResults& results) const {
  double pairs = 0;
  Law seen;
  for (std::size_t k = 0; k < seen.size(); ++k) {
    seen[k] = std::max(static_cast<double>(results[k]), kEmptyCell);
    pairs += seen[k];
  }
  if (pairs < 1) return 0;
  for (double& share : seen) share /= pairs;
  // Convert from pairs to games, because the mean of two games varies less than a single game.
  const double root = std::sqrt(2.0);
  const Law none = likeliest(seen, n0 / kEloPerT * root), some = likeliest(seen, n1 / kEloPerT * root);
  double sum = 0;
  for (std::size_t k = 0; k < seen.size(); ++k) sum += seen[k] * std::log(some[k] / none[k]);
  return pairs * sum;
}

}   // namespace cardwright::statistics
