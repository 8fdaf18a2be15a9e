// Intervals and evidence that stay right while one looks: however often, and whenever one stops, an interval at level α
// is wrong at some look in at most a share α of all runs. Everything is worked out from sums of whole numbers, so it
// depends neither on the order of the games nor on who played them.
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

// Of whole numbers, exactly: squares of 10^6 added up 10^12 times need 80 bits.
using Wide = __int128;

// log ∫₀¹ t^(a-1) e^(z(1-t)) dt for a > 0 and z > 0: log P(a, z) + log Γ(a) + z - a log z, P the regularised lower
// gamma function, by its series below a + 1 and its continued fraction above (Abramowitz, Stegun 6.5.29, 6.5.31).
double log_lower_gamma(double a, double z);
// P(a, z) itself, from 0 to 1.
double regularised_lower_gamma(double a, double z);

// What a batch of games comes to: how many there are, Σx and Σx².
struct Batch {
  std::uint64_t n = 0;
  double sum = 0, squares = 0;
};

// The mean of observations in [least, most], by an empirical-Bernstein confidence sequence with the gamma-exponential
// mixture (Howard et al. 2021, theorem 4 and proposition 9). The guess at a batch's mean is the mean of all batches
// before it, so the order inside a batch has no meaning.
class BoundedMean {
 public:
  // `hoped`: the sum of squared deviations at which the interval should be narrowest; any number > 0 is valid.
  BoundedMean(double least, double most, double alpha, double hoped);
  void add(const Batch& batch);
  std::uint64_t count() const { return n_; }
  double mean() const { return n_ ? sum_ / static_cast<double>(n_) : (least_ + most_) / 2; }
  // log of the e-value against the mean being `mean`: at least log(1/α) where that is refused.
  double log_evidence(double mean) const;
  // All means that are not refused at that level; [least, most] before anything is known.
  Interval interval(double alpha) const;

 private:
  double log_mixture(double sum) const;
  double bound(double alpha, double inside, double outside) const;

  double least_, most_, scale_, rho_, normal_;
  std::uint64_t n_ = 0;
  double sum_ = 0, deviation_ = 0;   // Σx and V: squared distances from what was guessed before
};

// The mean of observations that have no bounds, by the asymptotic confidence sequence of Waudby-Smith et al., theorem
// 2.2. `count` observations of that mean and deviation; narrowest at `hoped` observations.
struct FreeMean {
  std::uint64_t count = 0;
  double mean = 0, deviation = 0;
  double hoped = 10'000;

  double log_evidence(double of, double alpha) const;
  Interval interval(double alpha) const;

 private:
  double rho2(double alpha) const;
};

// Half the height of a band that holds the whole distribution function of n observations at all times (Howard, Ramdas
// 2022); 1 where there are too few.
double distribution_band(std::uint64_t n, double alpha);

// Which of the rows have a difference, by their e-values' logarithms: e-BH, false discoveries at most `alpha`
// whatever depends on what. The number of rows is fixed before anything is played.
std::vector<bool> discoveries(std::span<const double> log_evidence, double alpha);

}   // namespace cardwright::statistics
