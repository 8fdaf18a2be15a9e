// Computes the standard figures from the sums of the standard measures.
#include <algorithm>
#include <cmath>
#include <limits>

#include "simulation/measure_tally.h"

namespace cardwright::api {

namespace {

constexpr double kStudent31 = 2.0395134;   // 97.5 % quantile of Student's t distribution with 31 degrees of freedom

// Returns the smallest value that at least 95 % of the observations do not exceed.
std::int64_t percentile95(const Spread& spread) {
  std::uint64_t below = 0;
  std::int64_t out = 0;
  for (const Spread::Bin& bin : spread.bins) {
    if (below * 20 < spread.games * 19) out = bin.from;
    below += bin.games;
  }
  return out;
}

}   // namespace

MeasureSums MeasureTally::sums_of(detail::standard::Index measure, std::size_t cell) const {
  const View& view = standard_view(measure);
  return sums_of(view, view.cells[cell], view.units[0]);
}

std::vector<ActionFigure> MeasureTally::action_figures() const {
  const View& offered = standard_view(detail::standard::action_offered);
  std::vector<ActionFigure> out;
  for (std::size_t a = 0; a < program_.actions.size(); ++a) {
    const ActionInfo& info = program_.actions[a];
    const bool counted = info.kind == ActionKind::play || info.kind == ActionKind::use;
    const MeasureSums rate = sums_of(detail::standard::action_taken, a);
    if (!counted && rate.x == 0) continue;
    out.push_back({info.name, counted, static_cast<std::uint64_t>(rate.n), static_cast<std::uint64_t>(rate.x),
                   games_ - static_cast<std::uint64_t>(offered.cells[a].n), rate});
  }
  std::stable_sort(out.begin(), out.end(), [](const ActionFigure& a, const ActionFigure& b) {
    const auto rank = [](const ActionFigure& f) { return f.counted ? f.offered == 0 ? 0 : f.taken == 0 ? 1 : 2 : 3; };
    return rank(a) < rank(b);
  });
  return out;
}

CardFigure MeasureTally::card_figure(std::size_t kind) const {
  using namespace detail::standard;
  const auto count = [&](Index measure) { return static_cast<std::uint64_t>(sums_of(measure, kind).x); };
  CardFigure out{program_.kinds[kind].label, count(card_drawn),     count(card_taken),
                 count(card_played),         count(card_discarded), count(card_held)};
  const MeasureSums chosen = sums_of(card_chosen, kind);
  out.turns_in_hand = sums_of(card_turns, kind).value();
  out.chosen = static_cast<std::uint64_t>(chosen.n), out.chosen_wins = static_cast<std::uint64_t>(chosen.x);
  out.effect = draws_.effect(kind);
  double mean = 0, squares = 0;
  for (std::size_t b = 0; b < DrawWins::kBatches; ++b) {
    const double one = draws_.effect(kind, b, b + 1);
    mean += one / DrawWins::kBatches, squares += one * one / DrawWins::kBatches;
  }
  const double half = kStudent31 * std::sqrt(std::max(0.0, squares - mean * mean) / (DrawWins::kBatches - 1));
  out.low = out.effect - half, out.high = out.effect + half;
  return out;
}

std::vector<CardFigure> MeasureTally::card_figures() const {
  std::vector<CardFigure> out;
  for (std::size_t k = 0; k < program_.kinds.size(); ++k)
    if (std::any_of(program_.cards.begin(), program_.cards.end(),
                    [&](const CardInfo& c) { return c.kind == static_cast<Int>(k); }))
      out.push_back(card_figure(k));
  std::stable_sort(out.begin(), out.end(), [](const CardFigure& a, const CardFigure& b) {
    return std::isnan(b.effect) ? !std::isnan(a.effect) : a.effect > b.effect;
  });
  return out;
}

StandardFigures MeasureTally::standard_figures() const {
  using namespace detail::standard;
  StandardFigures out{games_, action_figures(), card_figures(), {}};
  PaceFigures& pace = out.pace;
  pace.options = sums_of(options);
  pace.per_turn = sums_of(turn_decisions), pace.own_per_turn = sums_of(own_decisions);
  pace.dead_turns = sums_of(dead_turns), pace.waiting = sums_of(waiting);
  pace.decisions = static_cast<std::uint64_t>(pace.options.n);
  pace.turns = static_cast<std::uint64_t>(pace.dead_turns.n);
  const Spread spread = standard_view(options).counts[0].up.spread();
  pace.median_options = spread.median;
  pace.most_options = percentile95(spread);
  for (std::size_t tenth = 0; tenth < 10; ++tenth)
    pace.options_by_tenth.push_back(sums_of(options_by_tenth, tenth).value());
  return out;
}

}   // namespace cardwright::api
