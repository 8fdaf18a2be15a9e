// Implements the coverage measurements with simulated distributions.
#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include <fmt/format.h>

#include "simulation/statistics/interim_schedule.h"
#include "tests/statistics/coverage.h"

namespace cardwright::test {

namespace {

using statistics::PairedRow;
using statistics::PairSums;
using statistics::RowSequence;
using Random = std::mt19937_64;

// The distribution of the difference b - a of the results of a pair of games: values and their probabilities. Many
// results can be drawn at once.
struct Law {
  std::string name;
  api::ObservedRow::Kind kind = api::ObservedRow::Kind::share;
  std::vector<std::pair<std::int64_t, double>> values;

  double mean() const {
    double out = 0;
    for (const auto& [value, share] : values) out += static_cast<double>(value) * share;
    return out;
  }
  double deviation() const {
    double out = 0;
    for (const auto& [value, share] : values) out += std::pow(static_cast<double>(value) - mean(), 2) * share;
    return std::sqrt(out);
  }

  // Draws n pairs in which a is 0.
  PairSums draw(std::uint64_t n, Random& random) const {
    PairSums out;
    double left = 1;
    std::uint64_t rest = n;
    for (const auto& [value, share] : values) {
      const double p = left > share ? share / left : 1;
      const std::uint64_t count = std::binomial_distribution<std::uint64_t>(rest, std::min(1.0, p))(random);
      rest -= count;
      left -= share;
      if (count == 0) continue;
      out.both_b.sum += static_cast<statistics::Wide>(count) * value;
      out.both_b.squares += static_cast<statistics::Wide>(count) * value * value;
      out.least = std::min(out.least, value);
      out.most = std::max(out.most, value);
    }
    out.a.n = out.both_a.n = n;
    out.both_b.n = n;
    out.b = out.both_b;
    return out;
  }
};

// Numbers of games that take 1 to 8, 9 to 16, … turns, out of 1,000 random games of Splash.
constexpr std::array kTurns = {17, 100, 203, 235, 184, 116, 68, 36, 19, 10, 6, 3, 2, 1};

Law lengths() {
  Law law{"lengths of Splash", api::ObservedRow::Kind::amount, {}};
  std::vector<double> by_difference(kTurns.size() * 2 - 1);
  double all = 0;
  for (std::size_t i = 0; i < kTurns.size(); ++i)
    for (std::size_t j = 0; j < kTurns.size(); ++j) {
      by_difference[i + kTurns.size() - 1 - j] += kTurns[i] * kTurns[j];
      all += kTurns[i] * kTurns[j];
    }
  for (std::size_t i = 0; i < by_difference.size(); ++i)
    law.values.emplace_back(8 * (static_cast<std::int64_t>(i) - static_cast<std::int64_t>(kTurns.size()) + 1),
                            by_difference[i] / all);
  return law;
}

Law rate(double p) { return {fmt::format("win rate {:g}", p), api::ObservedRow::Kind::share, {{1, p}, {0, 1 - p}}}; }
Law difference(double down, double up) {
  return {fmt::format("pairs, {:g} and {:g}", down, up),
          api::ObservedRow::Kind::share,
          {{-1, down}, {1, up}, {0, 1 - down - up}}};
}

constexpr double kGoal = 100'000;   // number of games at which intervals should be narrowest

PairedRow row_of(const Law& law) {
  PairedRow row;
  row.row.kind = law.kind;
  const bool amount = law.kind == api::ObservedRow::Kind::amount;
  row.hoped = kGoal * (amount ? 1 : law.deviation() * law.deviation());
  return row;
}

// A row of a running comparison: draws results from a law and updates the interval.
struct Running {
  const Law* law;
  RowSequence row;
  PairSums sum;

  explicit Running(const Law& of) : law(&of), row(row_of(of)) {}
  void add(std::uint64_t n, Random& random) {
    const PairSums batch = law->draw(n, random);
    sum.add(batch);
    row.add(batch, sum);
  }
};

}   // namespace

std::vector<Covered> coverage(int runs, std::size_t analyses, std::uint64_t seed) {
  std::vector<Covered> out;
  for (const Law& law : {rate(0.2), rate(0.05), rate(0.01), rate(0.001), difference(0.05, 0.05), lengths()}) {
    Covered& covered = out.emplace_back();
    covered.law = law.name;
    covered.runs = runs;
    int missed = 0, widths = 0;
    for (int r = 0; r < runs; ++r) {
      Random random(seed + static_cast<std::uint64_t>(r));
      Running running(law);
      std::uint64_t done = 0;
      bool wrong = false;
      for (std::size_t n = 0, seen = 0; seen < analyses; ++n) {
        running.add(statistics::border(n) - done, random);
        done = statistics::border(n);
        if (!statistics::is_analysis(n)) continue;
        ++seen;
        const auto interval = running.row.difference(statistics::kLevel).interval;
        if (!interval) continue;
        wrong |= law.mean() < interval->low || law.mean() > interval->high;
        const double wald = 1.96 * law.deviation() / std::sqrt(static_cast<double>(done));
        if (double(done) >= kGoal && double(done) < kGoal * 1.19) covered.width += interval->half() / wald, ++widths;
      }
      missed += wrong;
    }
    covered.missed = double(missed) / runs;
    if (widths) covered.width /= widths;
  }
  return out;
}

FoundFalsely false_discoveries(int runs, std::size_t analyses, std::uint64_t seed) {
  const std::vector<Law> none = {difference(0.05, 0.05), difference(0.2, 0.2), difference(0.005, 0.005), lengths()},
                         some = {difference(0.05, 0.06), difference(0.2, 0.23)};
  FoundFalsely out;
  for (int r = 0; r < 2 * runs; ++r) {
    Random random(seed + static_cast<std::uint64_t>(r));
    const std::size_t true_rows = r % 2 ? 10 : 0;
    std::vector<Running> rows;
    for (std::size_t i = 0; i < 40; ++i)
      rows.emplace_back(i < true_rows ? some[i % some.size()] : none[i % none.size()]);
    std::uint64_t done = 0;
    for (std::size_t n = 0; n < analyses + 4; ++n) {
      for (Running& row : rows) row.add(statistics::border(n) - done, random);
      done = statistics::border(n);
    }
    std::vector<double> evidence;
    for (const Running& row : rows) evidence.push_back(row.row.log_evidence());
    const std::vector<bool> found = statistics::discoveries(evidence, statistics::kLevel);
    const auto right = std::count(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(true_rows), true),
               wrong = std::count(found.begin() + static_cast<std::ptrdiff_t>(true_rows), found.end(), true);
    if (true_rows == 0)
      out.any += wrong > 0;
    else
      out.share += right + wrong ? double(wrong) / double(right + wrong) : 0, out.power += double(right) / 10;
  }
  out.any /= runs;
  out.share /= runs;
  out.power /= runs;
  return out;
}

}   // namespace cardwright::test
