// Computes the schedule of interim results, and the confidence sequences of rows.
#include "simulation/statistics/interim_schedule.h"

#include <algorithm>
#include <cmath>

#include "simulation/statistics/sequential.h"

namespace cardwright::statistics {

namespace {

// Boundaries before the first interim result. The first batches are short, because the prediction for a batch is the
// mean of earlier batches, and the first batch has none.
constexpr std::uint64_t kFirst[] = {16, 48, 112, 240};
constexpr double kFirstAnalysis = 250, kAnalysesPerDoubling = 4;

// Asymptotic intervals require at least kLeastFree pairs, and no pair may contribute more than the share kMostOfOne of
// the variance.
constexpr std::uint64_t kLeastFree = 1'000;
constexpr double kMostOfOne = 0.01;
// If the difference is at least this number of standard errors, one pair may contribute more, in proportion to the
// square of that number. Then the most extreme pair still makes up at most 2 % of the sum of all differences, so a few
// unseen pairs of this kind could not reverse the result.
constexpr double kClearly = 5;
constexpr int kSections = 60;   // number of steps of the ternary search between two means

Batch batch_of(Wide sum, Wide squares, std::uint64_t n, double one) {
  return {n, static_cast<double>(sum) / one, static_cast<double>(squares) / (one * one)};
}
Batch batch_of(const SideSums& sums, double one) { return batch_of(sums.sum, sums.squares, sums.n, one); }

// Returns the standard deviation of n numbers with this sum and sum of squares.
double deviation_of(Wide sum, Wide squares, std::uint64_t n) {
  if (n < 2) return 0;
  // Integers avoid cancellation. The numerator is exact if it fits in 128 bits.
  const Wide count = static_cast<Wide>(n);
  const double spread = static_cast<double>(count * squares - sum * sum) / static_cast<double>(n);
  return std::sqrt(std::max(0.0, spread) / static_cast<double>(n - 1));
}

}   // namespace

std::uint64_t border(std::size_t n) {
  if (n < std::size(kFirst)) return kFirst[n];
  return static_cast<std::uint64_t>(
      std::ceil(kFirstAnalysis * std::exp2(static_cast<double>(n - std::size(kFirst)) / kAnalysesPerDoubling)));
}

bool is_analysis(std::size_t n) { return n >= std::size(kFirst); }

RowSequence::RowSequence(const PairedRow& row)
    : row_(row),
      difference_(-1, 1, kLevel, row.hoped),
      a_(0, 1, kLevel / 2, row.hoped),
      b_(0, 1, kLevel / 2, row.hoped) {}

void RowSequence::add(const PairSums& batch, const PairSums& sum) {
  sum_ = sum;
  if (!is_share()) return;
  if (row_.paired) {
    difference_.add(batch_of(batch.difference(), batch.squares(), batch.pairs(), scale()));
  } else {
    a_.add(batch_of(batch.a, scale()));
    b_.add(batch_of(batch.b, scale()));
  }
}

Estimate RowSequence::side(const SideSums& sums) const {
  Estimate out;
  out.games = sums.n;
  if (sums.n == 0) return out;
  out.value = static_cast<double>(sums.sum) / static_cast<double>(sums.n) / scale();
  out.deviation = deviation_of(sums.sum, sums.squares, sums.n) / scale();
  return out;
}

FreeMean RowSequence::free_mean() const {
  // Includes two extra pairs that vary as much as games of A. Without them, the deviation would be too small when the
  // first difference occurs after many equal pairs.
  const std::uint64_t n = sum_.pairs();
  const double seen = deviation_of(sum_.difference(), sum_.squares(), n),
               game = deviation_of(sum_.both_a.sum, sum_.both_a.squares, n), pairs = static_cast<double>(n);
  return {n, n ? static_cast<double>(sum_.difference()) / pairs : 0,
          n < 2 ? 0 : std::sqrt((seen * seen * (pairs - 1) + 2 * game * game) / (pairs + 1)), row_.hoped};
}

bool RowSequence::is_settled() const {
  const FreeMean mean = free_mean();
  if (mean.count < kLeastFree) return false;
  const double farthest = std::max(std::abs(static_cast<double>(sum_.least) - mean.mean),
                                   std::abs(static_cast<double>(sum_.most) - mean.mean));
  const double n = static_cast<double>(mean.count), variance = mean.deviation * mean.deviation,
               errors = variance > 0 ? mean.mean * mean.mean * n / variance : 0;   // squared number of standard errors
  return farthest * farthest <= kMostOfOne * std::max(1.0, errors / (kClearly * kClearly)) * variance * (n - 1);
}

Estimate RowSequence::difference(double alpha) const {
  Estimate out;
  out.games = sum_.pairs();
  if (!row_.paired) {
    out.games = std::min(sum_.a.n, sum_.b.n);
    if (out.games == 0) return out;
    const Interval a = a_.interval(alpha / 2), b = b_.interval(alpha / 2);
    out.value = b_.mean() - a_.mean();
    out.deviation = std::hypot(side(sum_.a).deviation, side(sum_.b).deviation);
    out.interval = Interval{b.low - a.high, b.high - a.low};
    return out;
  }
  if (out.games == 0) return out;
  const FreeMean mean = free_mean();
  out.value = mean.mean / scale();
  out.deviation = mean.deviation / scale();
  if (is_share())
    out.interval = difference_.interval(alpha);
  else if (is_settled())
    out.interval = Interval{mean.interval(alpha).low / scale(), mean.interval(alpha).high / scale()};
  return out;
}

RowSequence::Fixed RowSequence::fixed_mean() const {
  const auto n = [](std::uint64_t count) { return static_cast<double>(count); };
  if (!row_.paired) {
    // Each side gets two more games, a success and a failure (Agresti, Caffo 2000), or nothing for amounts.
    const auto of = [&](const SideSums& sums) {
      const double more = is_share() ? 2 : 0, count = n(sums.n) + more;
      const Batch batch = batch_of(sums, scale());
      const double mean = count > 0 ? (batch.sum + more / 2) / count : 0,
                   variance = std::max(0.0, (batch.squares + more / 2) / count - mean * mean);
      return std::pair(mean, count > 1 ? variance / (count - 1) : 0);
    };
    const auto a = of(sum_.a), b = of(sum_.b);
    return {b.first - a.first, std::sqrt(a.second + b.second), std::min(sum_.a.n, sum_.b.n)};
  }
  const FreeMean mean = free_mean();
  const std::uint64_t count = sum_.pairs();
  if (!is_share()) return {mean.mean / scale(), mean.deviation / scale() / std::sqrt(n(count)), count};
  // Two more pairs with the differences +1/√2 and -1/√2: their squares have the sum 1, as if each result of a pair of
  // shares had occurred once more in half a pair (Agresti, Min 2005).
  const Batch batch = batch_of(sum_.difference(), sum_.squares(), count, scale());
  const double pairs = n(count) + 2, value = batch.sum / pairs;
  return {value, std::sqrt(std::max(0.0, (batch.squares + 1) / pairs - value * value) / pairs), count};
}

Estimate RowSequence::fixed_difference(double alpha) const {
  Estimate out = difference(alpha);
  out.interval.reset();
  const Fixed fixed = fixed_mean();
  if (fixed.pairs < 2 || fixed.error == 0) return out;
  // Student's t distribution, by its expansion around the normal distribution.
  const double z = normal_quantile(alpha), freedom = static_cast<double>(fixed.pairs - 1),
               half = z * (1 + (z * z + 1) / (4 * freedom)) * fixed.error, limit = is_share() ? 1.0 : INFINITY;
  out.interval = Interval{std::max(-limit, fixed.value - half), std::min(limit, fixed.value + half)};
  return out;
}

double RowSequence::fixed_evidence() const {
  const Fixed fixed = fixed_mean();
  if (fixed.pairs < 2 || fixed.error == 0) return 0;
  const double z = std::abs(fixed.value) / fixed.error / std::sqrt(2.0);
  // For large z, erfc(z) underflows; exp(-z²) / (z √π) is then exact enough.
  return z < 20 ? -std::log(std::erfc(z)) : z * z + std::log(z * std::sqrt(3.14159265358979));
}

double RowSequence::log_evidence() const {
  if (!is_share()) return is_settled() ? free_mean().log_evidence(0, kLevel) : 0;
  if (row_.paired) return difference_.log_evidence(0);
  if (sum_.a.n == 0 || sum_.b.n == 0) return 0;
  // For any common mean of both games, the average of both e-values against this mean is an e-value. The evidence is
  // the smallest of these averages.
  const auto both = [&](double mean) {
    const double a = a_.log_evidence(mean), b = b_.log_evidence(mean), most = std::max(a, b);
    return most + std::log((std::exp(a - most) + std::exp(b - most)) / 2);
  };
  double low = std::min(a_.mean(), b_.mean()), high = std::max(a_.mean(), b_.mean());
  for (int i = 0; i < kSections; ++i) {
    const double left = low + (high - low) / 3, right = high - (high - low) / 3;
    if (both(left) < both(right))
      high = right;
    else
      low = left;
  }
  return both((low + high) / 2);
}

double RowSequence::correlation() const {
  const std::uint64_t n = sum_.pairs();
  const double a = deviation_of(sum_.both_a.sum, sum_.both_a.squares, n),
               b = deviation_of(sum_.both_b.sum, sum_.both_b.squares, n);
  if (!(a > 0 && b > 0)) return std::numeric_limits<double>::quiet_NaN();
  const double d = deviation_of(sum_.difference(), sum_.squares(), n);
  return (a * a + b * b - d * d) / (2 * a * b);
}

}   // namespace cardwright::statistics
