// Computes the effect of drawing a card in each of two games, and the difference between them.
#include "simulation/statistics/effects.h"

#include <algorithm>
#include <cmath>

#include "simulation/statistics/interim_schedule.h"

namespace cardwright::statistics {

namespace {

// Minimum total number of pairs, and minimum number of draws per batch.
constexpr std::uint64_t kLeastPairs = 1'000, kLeastDraws = 10;
constexpr double kBatches = api::DrawWins::kBatches;
// For up to four standard deviations, Student's t distribution with 31 degrees of freedom is wider than the normal
// distribution by at most this factor.
constexpr double kFewBatches = 1.2;

// Returns the standard deviation over batches of a value with one observation per batch.
double deviation_of(const std::vector<double>& batches) {
  double mean = 0, squares = 0;
  for (const double one : batches) mean += one / kBatches;
  for (const double one : batches) squares += (one - mean) * (one - mean);
  return std::sqrt(squares / (kBatches - 1));
}

}   // namespace

void EffectSequence::see(const api::DrawWins& a, const api::DrawWins& b, std::uint64_t pairs) {
  a_ = b_ = {};
  pairs_ = pairs;
  is_settled_ = false;
  const double in_a = a.effect(card_.a), in_b = b.effect(card_.b);
  if (std::isnan(in_a) || std::isnan(in_b)) return;   // no player has drawn the card yet
  std::vector<double> of_a, of_b, between;
  for (std::size_t batch = 0; batch < api::DrawWins::kBatches; ++batch) {
    of_a.push_back(a.effect(card_.a, batch, batch + 1));
    of_b.push_back(b.effect(card_.b, batch, batch + 1));
    between.push_back(of_b.back() - of_a.back());
  }
  const double one = std::sqrt(static_cast<double>(pairs) / kBatches);
  const auto side = [&](double value, const std::vector<double>& batches) {
    Estimate out;
    out.value = value;
    out.games = pairs;
    if (const double deviation = deviation_of(batches); std::isfinite(deviation)) out.deviation = deviation * one;
    return out;
  };
  a_ = side(in_a, of_a);
  b_ = side(in_b, of_b);
  is_settled_ = pairs >= kLeastPairs && std::min(a.least_draws(card_.a), b.least_draws(card_.b)) >= kLeastDraws;
  if (is_settled_) deviation_ = kFewBatches * deviation_of(between) * one;
}

Estimate EffectSequence::difference(double alpha) const {
  Estimate out;
  if (a_.games == 0) return out;
  out.games = pairs_;
  out.value = b_.value - a_.value;
  if (!is_settled_) return out;
  out.deviation = deviation_;
  out.interval = mean().interval(alpha);
  return out;
}

double EffectSequence::log_evidence() const { return is_settled_ ? mean().log_evidence(0, kLevel) : 0; }

}   // namespace cardwright::statistics
