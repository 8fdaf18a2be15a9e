// Computes intervals and e-values that are valid at all interim results.
#include "simulation/statistics/sequential.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace cardwright::statistics {

namespace {

constexpr double kPrecision = 1e-15;
constexpr int kMostTerms = 10'000'000;   // sufficient for large a, because the number of terms grows as √a
constexpr int kHalvings = 60;

// Returns Σ z^k / (a (a+1) … (a+k)).
double gamma_series(double a, double z) {
  double term = 1 / a, sum = term;
  for (int k = 1; k < kMostTerms && term > sum * kPrecision; ++k) {
    term *= z / (a + k);
    sum += term;
  }
  return sum;
}

// Returns the continued fraction of Γ(a, z) e^z z^-a, by Lentz's method; for z > a + 1.
double gamma_fraction(double a, double z) {
  constexpr double kTiny = 1e-300;
  double b = z + 1 - a, c = 1 / kTiny, d = 1 / b, h = d;
  for (int i = 1; i < kMostTerms; ++i) {
    const double an = -i * (i - a);
    b += 2;
    d = an * d + b;
    if (std::abs(d) < kTiny) d = kTiny;
    c = b + an / c;
    if (std::abs(c) < kTiny) c = kTiny;
    d = 1 / d;
    const double step = d * c;
    h *= step;
    if (std::abs(step - 1) < kPrecision) break;
  }
  return h;
}

// Thread-safe, unlike std::lgamma, which writes to a global variable.
double log_gamma(double a) {
  int sign = 0;
  return lgamma_r(a, &sign);
}

double log_sum(double a, double b) {
  const double most = std::max(a, b);
  return std::isinf(most) ? most : most + std::log(std::exp(a - most) + std::exp(b - most));
}

}   // namespace

double log_lower_gamma(double a, double z) {
  if (z < a + 1) return std::log(gamma_series(a, z));
  // `whole` is log(e^z z^-a Γ(a)), the value for the complete gamma function. The continued fraction gives the upper
  // part.
  const double whole = log_gamma(a) + z - a * std::log(z);
  const double above = std::log(gamma_fraction(a, z)) - whole;
  return whole + std::log1p(-std::exp(std::min(above, 0.0)));
}

double regularised_lower_gamma(double a, double z) {
  if (z <= 0) return 0;
  return std::min(1.0, std::exp(log_lower_gamma(a, z) - log_gamma(a) - z + a * std::log(z)));
}

// ---- bounded observations

BoundedMean::BoundedMean(double least, double most, double alpha, double hoped)
    : least_(least), most_(most), scale_(most - least) {
  const double l = std::log(1 / alpha);
  rho_ = hoped / (2 * l + std::log(1 + 2 * l));
  normal_ = log_lower_gamma(rho_ / (scale_ * scale_), rho_ / (scale_ * scale_));
}

void BoundedMean::add(const Batch& batch) {
  if (batch.n == 0) return;
  const double guess = mean(), n = static_cast<double>(batch.n);
  deviation_ += std::max(0.0, batch.squares - 2 * guess * batch.sum + n * guess * guess);
  sum_ += batch.sum;
  n_ += batch.n;
}

// If the sum is so low that z is not positive, the mixture is almost 0, and the result represents no evidence.
double BoundedMean::log_mixture(double sum) const {
  const double square = scale_ * scale_, a = (deviation_ + rho_) / square,
               z = (scale_ * sum + deviation_ + rho_) / square;
  if (z <= 0) return -std::numeric_limits<double>::infinity();
  return log_lower_gamma(a, z) - normal_;
}

double BoundedMean::log_evidence(double mean) const {
  if (n_ == 0) return 0;
  const double s = sum_ - static_cast<double>(n_) * mean;
  return log_sum(log_mixture(s), log_mixture(-s)) - std::log(2.0);
}

// Finds a bound of the interval by bisection between a mean inside the interval and one outside it.
double BoundedMean::bound(double alpha, double inside, double outside) const {
  const double limit = std::log(1 / alpha);
  if (log_evidence(outside) < limit) return outside;
  for (int i = 0; i < kHalvings && inside != outside; ++i) {
    const double middle = (inside + outside) / 2;
    (log_evidence(middle) < limit ? inside : outside) = middle;
  }
  return outside;
}

Interval BoundedMean::interval(double alpha) const {
  const double middle = std::clamp(mean(), least_, most_);
  return {bound(alpha, middle, least_), bound(alpha, middle, most_)};
}

// ---- unbounded observations

double FreeMean::rho2(double alpha) const { return (-2 * std::log(alpha) + std::log(1 - 2 * std::log(alpha))) / hoped; }

double FreeMean::log_evidence(double of, double alpha) const {
  if (count < 2 || deviation == 0) return 0;
  const double n = static_cast<double>(count), r = rho2(alpha), s = n * (mean - of);
  return r * s * s / (2 * deviation * deviation * (1 + n * r)) - std::log1p(n * r) / 2;
}

Interval FreeMean::interval(double alpha) const {
  if (count < 2) return {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  const double n = static_cast<double>(count), r = rho2(alpha);
  const double half = deviation * std::sqrt(2 * (n * r + 1) / (n * n * r) * std::log(std::sqrt(n * r + 1) / alpha));
  return {mean - half, mean + half};
}

double distribution_band(std::uint64_t n, double alpha) {
  if (n < 2) return 1;
  const double count = static_cast<double>(n);
  return std::min(1.0,
                  0.85 * std::sqrt((std::log(std::log(std::exp(1.0) * count)) + 0.8 * std::log(1612 / alpha)) / count));
}

// ---- many rows

std::vector<bool> discoveries(std::span<const double> log_evidence, double alpha) {
  std::vector<std::size_t> order(log_evidence.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return log_evidence[a] > log_evidence[b]; });
  const double rows = static_cast<double>(order.size());
  std::size_t found = 0;
  for (std::size_t k = 1; k <= order.size(); ++k)
    if (log_evidence[order[k - 1]] >= std::log(rows / (alpha * static_cast<double>(k)))) found = k;
  std::vector<bool> out(order.size(), false);
  for (std::size_t k = 0; k < found; ++k) out[order[k]] = true;
  return out;
}

double normal_quantile(double alpha) {
  double low = 0, high = 40;
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (std::erfc(middle / std::sqrt(2.0)) > alpha ? low : high) = middle;
  }
  return low;
}

}   // namespace cardwright::statistics
