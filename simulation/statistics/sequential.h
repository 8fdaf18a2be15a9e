// Computes anytime-valid intervals and e-values. For an interval at level α, the probability that it is ever wrong is
// at most α, no matter how many interim results are computed and when the run stops. All results are computed from sums
// of integers, so they do not depend on the order of the games or on the threads.
//
// Sources: Howard, Ramdas, McAuliffe, Sekhon, Ann. Statist. 49(2), 2021 (bounded observations); Waudby-Smith, Arbour,
// Sinha, Kennedy, Ramdas, arXiv 2103.06476 (unbounded ones); Howard, Ramdas, Bernoulli 28(3), 2022 (distribution
// functions); Wang, Ramdas, JRSS-B 84(3), 2022 and Xu, Wang, Ramdas, arXiv 2203.12572 (many rows).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cardwright/statistics.hpp"

namespace cardwright::statistics {

// Exact sums of integers: 10^12 squares of 10^6 need 80 bits.
using Wide = __int128;

// Returns log ∫₀¹ t^(a-1) e^(z(1-t)) dt for a > 0 and z > 0. It equals log P(a, z) + log Γ(a) + z - a log z, where P is
// the regularized lower gamma function. Uses the series of P for z < a + 1 and its continued fraction otherwise
// (Abramowitz, Stegun 6.5.29, 6.5.31).
double log_lower_gamma(double a, double z);
// Returns the regularized lower gamma function P(a, z), from 0 to 1.
double regularised_lower_gamma(double a, double z);

// Summary of the observations x in a batch of games: their number, Σx and Σx².
struct Batch {
  std::uint64_t n = 0;
  double sum = 0, squares = 0;
};

// The mean of observations in [least, most], by an empirical-Bernstein confidence sequence with the gamma-exponential
// mixture (Howard et al. 2021, theorem 4 and proposition 9). The prediction for a batch is the mean of all earlier
// batches, so the order within a batch has no effect.
class BoundedMean {
 public:
  // The interval is narrowest when the sum of squared deviations equals `hoped`, which can be any positive number.
  BoundedMean(double least, double most, double alpha, double hoped);
  void add(const Batch& batch);
  std::uint64_t count() const { return n_; }
  double mean() const { return n_ ? sum_ / static_cast<double>(n_) : (least_ + most_) / 2; }
  // Returns the logarithm of the e-value against the hypothesis that the mean is `mean`. The hypothesis is rejected if
  // the result is at least log(1/α).
  double log_evidence(double mean) const;
  // Returns the interval of all means that are not rejected at the level `alpha`; [least, most] without observations.
  Interval interval(double alpha) const;

 private:
  double log_mixture(double sum) const;
  double bound(double alpha, double inside, double outside) const;

  double least_, most_, scale_, rho_, normal_;
  std::uint64_t n_ = 0;
  double sum_ = 0, deviation_ = 0;   // Σx, and V: the sum of squared distances from the predictions
};

// The mean of unbounded observations, by the asymptotic confidence sequence of Waudby-Smith et al., theorem 2.2. It is
// computed from `count` observations with the sample mean `mean` and the standard deviation `deviation`, and is
// narrowest at `hoped` observations.
struct FreeMean {
  std::uint64_t count = 0;
  double mean = 0, deviation = 0;
  double hoped = 10'000;

  double log_evidence(double of, double alpha) const;
  Interval interval(double alpha) const;

 private:
  double rho2(double alpha) const;
};

// Returns half the height of a confidence band around the empirical distribution function of n observations (Howard,
// Ramdas 2022). The band contains the complete distribution function at all times. The result is 1 if there are too few
// observations.
double distribution_band(std::uint64_t n, double alpha);

// Determines the rows with a difference by the e-BH procedure, from the logarithms of their e-values. The false
// discovery rate is at most `alpha` under arbitrary dependence. The number of rows is fixed before the run.
std::vector<bool> discoveries(std::span<const double> log_evidence, double alpha);

// Returns z with P(|X| > z) = alpha for a standard normal X.
double normal_quantile(double alpha);

}   // namespace cardwright::statistics
