// Tests intervals that stay valid at every interim result.
#include <catch2/catch.hpp>

#include <cmath>

#include "simulation/statistics/interim_schedule.h"
#include "simulation/statistics/sequential.h"
#include "tests/statistics/coverage.h"

using namespace cardwright;
using namespace cardwright::test;

TEST_CASE("study: the regularized lower gamma function has its tabulated values", "[study]") {
  // For integers, P(n, x) = 1 - e^-x Σ x^k / k! with k < n; for one half, P(1/2, x) = erf √x.
  for (const double x : {0.01, 0.3, 1.0, 2.5, 7.0, 30.0, 80.0}) {
    CHECK(statistics::regularised_lower_gamma(0.5, x) == Approx(std::erf(std::sqrt(x))).epsilon(1e-9));
    for (const int n : {1, 2, 3, 5, 10, 20, 40, 60}) {
      double term = std::exp(-x), below = 0;
      for (int k = 0; k < n; ++k, term *= x / k) below += term;
      CHECK(statistics::regularised_lower_gamma(n, x) == Approx(1 - below).epsilon(1e-9).margin(1e-12));
    }
  }
  // For large a, P(a, a) = 1/2 + 1 / (3 √(2πa)) + …
  for (const double a : {1e3, 1e5, 1e7})
    CHECK(statistics::regularised_lower_gamma(a, a) == Approx(0.5 + 1 / (3 * std::sqrt(2 * M_PI * a))).epsilon(1e-6));
}

TEST_CASE("study: an interval is wrong at any interim result in at most 5 % of runs", "[study]") {
  constexpr int kRuns = 600;
  const double most = 0.05 + 3 * std::sqrt(0.05 * 0.95 / kRuns);
  for (const Covered& covered : coverage(kRuns, 36, 1)) {
    INFO(covered.law);
    CHECK(covered.missed <= most);
    CHECK(covered.width > 1);   // Wald's interval for a fixed number of games has width 1
    if (covered.law != "win rate 0.01" && covered.law != "win rate 0.001") CHECK(covered.width <= 1.6);
  }
}

TEST_CASE("study: at most 5 % of the discoveries are false", "[study]") {
  const FoundFalsely found = false_discoveries(100, 30, 1);
  CHECK(found.any <= 0.05 + 3 * std::sqrt(0.05 * 0.95 / 100));
  CHECK(found.share <= 0.05);
  CHECK(found.power > 0.5);
}

TEST_CASE("study: interim results are at fixed numbers of games, independent of the clock", "[study]") {
  CHECK(statistics::border(4) == 250);
  CHECK(statistics::border(8) == 500);
  CHECK(statistics::border(4 + 48) == 1'024'000);
  CHECK(!statistics::is_analysis(3));
  CHECK(statistics::is_analysis(4));
}

TEST_CASE("study: for a fixed number of games a share has Wilson's interval", "[study]") {
  api::Share share;
  share.tables = 100;
  share.mean = share.deviation = 0.5;
  const auto [low, high] = share.interval();
  CHECK(low == Approx(0.4038).margin(1e-3));
  CHECK(high == Approx(0.5962).margin(1e-3));
  // If one of several players of the same kind wins each game, the mean of their results varies less than the result of
  // a single player.
  share.deviation = 0.25;
  CHECK(share.interval().second - share.interval().first < 0.6 * (high - low));
  share.mean = share.deviation = 0;
  CHECK(share.interval().second == Approx(0.037).margin(1e-3));
}

TEST_CASE("study: the threshold for e-values depends on the number of rows", "[study]") {
  const double alpha = 0.05, enough = std::log(4 / alpha);
  CHECK(statistics::discoveries(std::vector{enough, 0.0, 0.0, 0.0}, alpha) == std::vector{true, false, false, false});
  CHECK(statistics::discoveries(std::vector{enough - 0.01, 0.0, 0.0, 0.0}, alpha) == std::vector<bool>(4, false));
  // For two discoveries, each needs half as much evidence.
  const double half = std::log(4 / (2 * alpha));
  CHECK(statistics::discoveries(std::vector{0.0, half, half, 0.0}, alpha) == std::vector{false, true, true, false});
}
