// Computes confidence intervals of shares.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

namespace cardwright::api::detail {

inline constexpr double kNormal = 1.959963984540054;   // 97.5 % quantile of the normal distribution

// Returns Wilson's 95 % interval of a share that was observed in n trials. Unlike the normal approximation, it stays
// within [0, 1] and has a width even if the share is 0 or 1. `n` need not be an integer: for dependent trials, it is
// the number of independent trials with the same variance.
inline std::pair<double, double> wilson(double share, double n) {
  if (!(n > 0)) return {0, 1};
  const double zz = kNormal * kNormal / n, middle = (share + zz / 2) / (1 + zz);
  const double half = kNormal * std::sqrt(std::max(0.0, share * (1 - share)) / n + zz / (4 * n)) / (1 + zz);
  return {std::max(0.0, middle - half), std::min(1.0, middle + half)};
}

}   // namespace cardwright::api::detail
