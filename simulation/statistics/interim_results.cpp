// Computes the interim results of a comparison: verdicts, estimates of the remaining pairs, and the figures to report.
#include "simulation/statistics/interim_results.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cardwright::statistics {

namespace {

using api::ObservedRow;

// A comparison does not wait for rows that have values in less than this share of the pairs.
constexpr double kSeldom = 0.02;

// Returns the interval of all possible medians: the values at which a distribution function within the confidence band
// can cross one half.
std::optional<Interval> median_range(const std::vector<Bin>& bins) {
  std::uint64_t n = 0, below = 0;
  for (const Bin& bin : bins) n += bin.games;
  const double band = distribution_band(n, kLevel / 2);
  if (n == 0 || band >= 0.5) return std::nullopt;
  Interval out{static_cast<double>(bins.front().from), static_cast<double>(bins.back().to)};
  bool begun = false;
  for (const Bin& bin : bins) {
    below += bin.games;
    const double share = static_cast<double>(below) / static_cast<double>(n);
    if (!begun && share > 0.5 - band) out.low = static_cast<double>(bin.from), begun = true;
    if (share >= 0.5 + band) {
      out.high = static_cast<double>(bin.to);
      break;
    }
  }
  return out;
}

}   // namespace

InterimResults::InterimResults(const PairedRows& rows, double margin, double until, std::uint64_t most)
    : rows_(rows), margin_(margin), until_(until), most_(most), sum_(rows.empty()) {
  for (const PairedRow& row : rows.both) sequences_.emplace_back(row);
  for (const PairedCard& card : rows.cards) effects_.emplace_back(card);
}

void InterimResults::add(const PairBatch& batch, std::uint64_t pairs) {
  sum_.add(batch);
  pairs_ = pairs;
  for (std::size_t i = 0; i < rows_.both.size(); ++i) sequences_[i].add(batch.rows[i], sum_.rows[i]);
}

Estimate InterimResults::difference(std::size_t row, double alpha) const {
  return is_effect(row) ? effects_[row - sequences_.size()].difference(alpha) : sequences_[row].difference(alpha);
}
double InterimResults::log_evidence(std::size_t row) const {
  return is_effect(row) ? effects_[row - sequences_.size()].log_evidence() : sequences_[row].log_evidence();
}

// Computes the verdicts of all rows from the results so far.
void InterimResults::analyze() {
  for (EffectSequence& card : effects_) card.see(sum_.draws_a, sum_.draws_b, pairs_);
  std::vector<double> evidence;
  for (std::size_t i = 0; i < rows(); ++i) evidence.push_back(log_evidence(i));
  differs_ = discoveries(evidence, kLevel);
  found_ = static_cast<std::size_t>(std::count(differs_.begin(), differs_.end(), true));
  const double level = found_ ? kLevel * static_cast<double>(found_) / static_cast<double>(rows()) : kLevel;
  differences_.clear();
  verdicts_.clear();
  for (std::size_t i = 0; i < rows(); ++i) {
    const Estimate own = difference(i, kLevel);
    differences_.push_back(differs_[i] ? difference(i, level) : own);
    const double margin = margin_of(i);
    const bool same = own.interval && own.interval->low > -margin && own.interval->high < margin;
    verdicts_.push_back(differs_[i] ? Verdict::differs : same ? Verdict::same : Verdict::open);
  }
}

// Returns true if the comparison continues until this row is decided. It does not wait for rows that are 0 in every
// game, such as the turns of a game without turns.
bool InterimResults::is_waited_for(std::size_t i) const {
  const PairSums& sums = sum_.rows[i];
  if (rows_.both[i].row.kind == ObservedRow::Kind::amount && sums.a.squares == 0 && sums.b.squares == 0) return false;
  const auto games = static_cast<double>(std::max(sequences_[i].side_a().games, sequences_[i].side_b().games));
  return rows_.both[i].row.is_main && games >= kSeldom * static_cast<double>(pairs_);
}

std::size_t InterimResults::main_rows() const {
  std::size_t out = 0;
  for (std::size_t i = 0; i < rows_.both.size(); ++i) out += is_waited_for(i);
  return out;
}

std::size_t InterimResults::open_rows() const {
  std::size_t out = 0;
  for (std::size_t i = 0; i < rows_.both.size(); ++i) out += is_waited_for(i) && verdicts_[i] == Verdict::open;
  return out;
}

bool InterimResults::is_precise() const {
  for (std::size_t i = 0; i < rows_.both.size(); ++i)
    if (is_waited_for(i) && !(half(i) <= until_ * unit_of(i))) return false;
  return true;
}

std::optional<Stopped> InterimResults::end() const {
  if (until_ > 0) return is_precise() ? std::optional(Stopped::precise) : std::nullopt;
  return open_rows() == 0 ? std::optional(Stopped::decided) : std::nullopt;
}

// Estimates the number of pairs until the last row is decided or precise, because widths of intervals shrink as 1/√n.
std::uint64_t InterimResults::estimate() const {
  double most = 0;
  for (std::size_t i = 0; i < rows_.both.size(); ++i) {
    if (!is_waited_for(i) || (until_ == 0 && verdicts_[i] != Verdict::open)) continue;
    double room = until_ * unit_of(i);
    if (until_ == 0)   // until the interval excludes 0 or is inside the margin, whichever comes first
      room = std::max(std::abs(differences_[i].value), margin_of(i) - std::abs(differences_[i].value));
    const double factor = room > 0 && std::isfinite(half(i)) ? half(i) / room : 1e9;
    most = std::max(most, static_cast<double>(pairs_) * factor * factor);
  }
  return static_cast<std::uint64_t>(std::min(most, static_cast<double>(most_)));
}

// Returns the scale of a difference: 1 for shares, the mean of side A for amounts.
double InterimResults::unit_of(std::size_t i) const {
  if (is_effect(i)) return 1;
  return rows_.both[i].row.kind == ObservedRow::Kind::share ? 1 : std::abs(sequences_[i].side_a().value);
}

double InterimResults::margin_of(std::size_t i) const {
  return margin_ * (is_effect(i) || rows_.both[i].row.kind == ObservedRow::Kind::share ? 1 : 2) * unit_of(i);
}

double InterimResults::half(std::size_t i) const {
  return differences_[i].interval ? differences_[i].interval->half() : std::numeric_limits<double>::infinity();
}

Figure InterimResults::figure(std::size_t i) const {
  const RowSequence& row = sequences_[i];
  Figure out;
  out.name = rows_.both[i].row.name;
  out.a = row.side_a();
  out.b = row.side_b();
  out.difference = differences_[i];
  out.verdict = verdicts_[i];
  out.is_main = rows_.both[i].row.is_main;
  out.paired = rows_.both[i].paired;
  out.log_evidence = row.log_evidence();
  out.correlation = row.correlation();
  out.histogram = sum_.amounts_a[i].bins();
  out.histogram_b = sum_.amounts_b[i].bins();
  if (rows_.both[i].row.kind == ObservedRow::Kind::amount) {
    out.median = median_range(out.histogram);
    out.median_b = median_range(out.histogram_b);
  }
  return out;
}

// Returns the figure for the effect of a card in percentage points, as in the figures of a simulation.
Figure InterimResults::effect(std::size_t i) const {
  constexpr double kPoint = 100;
  const auto in_points = [](Estimate e) {
    e.value *= kPoint, e.deviation *= kPoint;
    if (e.interval) e.interval = Interval{e.interval->low * kPoint, e.interval->high * kPoint};
    return e;
  };
  const EffectSequence& card = effects_[i - sequences_.size()];
  Figure out;
  out.name = rows_.cards[i - sequences_.size()].name;
  out.a = in_points(card.side_a());
  out.b = in_points(card.side_b());
  out.difference = in_points(differences_[i]);
  out.verdict = verdicts_[i];
  out.log_evidence = card.log_evidence();
  return out;
}

Figures InterimResults::figures() const {
  Figures out;
  for (const std::string& group : rows_.groups) {
    FigureTable table;
    table.title = group;
    table.topic = topic_of(group);
    for (std::size_t i = 0; i < rows_.both.size(); ++i) {
      const ObservedRow& row = rows_.both[i].row;
      if (row.group != group) continue;
      if (row.kind == ObservedRow::Kind::share) table.unit = std::string("%");
      table.rows.push_back(figure(i));
    }
    if (group == kEffects) {
      table.unit = "points";
      for (std::size_t i = sequences_.size(); i < rows(); ++i) table.rows.push_back(effect(i));
    }
    for (const ObservedRow& row : rows_.only_a)
      if (row.group == group) table.only_a.push_back(row.name);
    for (const ObservedRow& row : rows_.only_b)
      if (row.group == group) table.only_b.push_back(row.name);
    out.tables.push_back(std::move(table));
  }
  return out;
}

}   // namespace cardwright::statistics
