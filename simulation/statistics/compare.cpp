// Compares two games pair by pair on the same seeds, until the main figures are decided.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <numeric>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "simulation/part_file.h"
#include "simulation/checkpoints.h"
#include "simulation/seats.h"
#include "simulation/simulation.h"
#include "cardwright/statistics.hpp"
#include "api/game/parallel.h"
#include "simulation/statistics/interim_results.h"
#include "simulation/statistics/pairs.h"

namespace cardwright::statistics {

namespace {

// Adds the mean correlation of the games of a pair, over the wins by seat, and the number of games that pairing saved.
void add_correlation(Comparison& out) {
  double sum = 0;
  std::size_t rows = 0;
  for (const FigureTable& table : out.figures.tables)
    for (const Figure& row : table.rows)
      if (table.title == "wins by seat" && !std::isnan(row.correlation)) sum += row.correlation, ++rows;
  if (rows == 0) return;
  out.correlation = sum / static_cast<double>(rows);
  const double games = 2 * static_cast<double>(out.pairs);
  if (out.correlation > 0 && out.correlation < 1)
    out.games_saved = static_cast<std::uint64_t>(games / (1 - out.correlation) - games);
}

// Adds the number of failed games per side, and marks the tables that exclude these games: all tables except lengths
// and errors.
void add_failed(Comparison& out) {
  const auto games_of = [](const std::vector<api::FailureCount>& failures) {
    return std::accumulate(failures.begin(), failures.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const api::FailureCount& one) { return sum + one.count; });
  };
  Figures& figures = out.figures;
  figures.games = out.pairs;
  figures.failed_a = games_of(out.failures_a);
  figures.failed_b = games_of(out.failures_b);
  if (figures.failed_a + figures.failed_b == 0) return;
  for (FigureTable& table : figures.tables)
    table.without_failed = table.topic != Topic::broken && table.topic != Topic::tension && table.title != "length";
}

constexpr std::uint64_t kLeastFixedPairs = 30;   // with fewer pairs, means are not distributed normally

void check_settings(const CompareSettings& settings) {
  const auto need = [](double value, const char* what) {
    if (!(value > 0 && value < 1))
      throw api::Error(api::Blame::caller,
                       fmt::format("{:g} is not a valid {}: expected more than 0 and less than 1 ({:g} %)", value, what,
                                   100 * value));
  };
  need(settings.margin, "margin");
  if (settings.until != 0) need(settings.until, "precision");
  api::need_threads(settings.play.threads);
  const std::uint64_t least = settings.fixed ? kLeastFixedPairs : border(4);
  if (settings.pairs < least)
    throw api::Error(api::Blame::caller,
                     fmt::format("{} pairs are too few to compare: the minimum is {}{}", settings.pairs, least,
                                 settings.fixed || settings.pairs < kLeastFixedPairs
                                     ? ""
                                     : fmt::format("; for a fixed number of pairs, it is {}", kLeastFixedPairs)));
  if (settings.fixed && settings.until != 0)
    throw api::Error(api::Blame::caller, "a fixed number of pairs can't be combined with a precision (`until`)");
}

}   // namespace

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::none: return "";
    case Verdict::differs: return "differs";
    case Verdict::same: return "same within the margin";
    case Verdict::open: return "open";
  }
  return "";
}

std::string_view name_of(Stopped stopped) {
  switch (stopped) {
    case Stopped::decided: return "decided";
    case Stopped::precise: return "precise";
    case Stopped::exhausted: return "exhausted";
    case Stopped::interrupted: return "interrupted";
  }
  return "";
}

// ---- parts

namespace {

using Json = nlohmann::ordered_json;

Json run_of(const api::Game& a, const api::Game& b, const CompareSettings& settings) {
  api::SimulateSettings play = settings.play;
  play.games = settings.pairs;
  return {{"from", api::detail::run_of(a, play)},
          {"to", api::detail::run_of(b, play)},
          {"margin", settings.margin},
          {"until", settings.until},
          {"fixed", settings.fixed}};
}

CompareSettings settings_of(const api::Game& a, const api::Game& b, const Json& run) {
  CompareSettings out;
  out.play = api::detail::settings_of(a, run.at("from"));
  api::detail::settings_of(b, run.at("to"));
  out.pairs = out.play.games;
  out.margin = run.at("margin");
  out.until = run.at("until");
  out.fixed = run.at("fixed");
  return out;
}

}   // namespace

static bool compares_cards(const api::SimulateSettings& play) {
  return std::find(play.figures.begin(), play.figures.end(), "cards") != play.figures.end();
}

struct ComparisonPart::Data {
  Data(const api::Game& of_a, const api::Game& of_b, const CompareSettings& how)
      : a(of_a),
        b(of_b),
        settings(how),
        rows(rows_of(api::ObservedGames(a, how.play).rows(), api::ObservedGames(b, how.play).rows())) {
    if (compares_cards(how.play)) add_cards(rows, a, b);
    settings.play.games = settings.pairs;
    settings.stop = nullptr;
    settings.progress = nullptr;
  }
  void begin(PairBatch pilot) {
    plan(rows, std::move(pilot), settings.until > 0 ? settings.until : settings.margin);
    interim.emplace(rows, settings.margin, settings.until, settings.pairs, settings.fixed);
    interim->analyze();
  }
  // Returns the first pair of batch n.
  std::uint64_t from(std::size_t n) const { return n == 0 ? 0 : std::min(border(n - 1), settings.pairs); }
  std::uint64_t to(std::size_t n) const { return std::min(border(n), settings.pairs); }
  PairBatch& batch(std::size_t n) { return batches.try_emplace(n, rows.empty()).first->second; }
  void analyze_batches();

  api::Game a, b;
  CompareSettings settings;
  PairedRows rows;
  std::map<std::size_t, PairBatch> batches;
  api::Covered covered;   // pairs with results
  // Evaluates the pairs from the first one up to the first gap.
  std::optional<InterimResults> interim;
  std::size_t seen = 0, analyses = 0;   // number of evaluated batches, and of interim results
  std::optional<Stopped> ended;
  double seconds = 0;
};

// Evaluates complete batches until the comparison is decided. Later pairs are ignored.
void ComparisonPart::Data::analyze_batches() {
  for (; !ended && from(seen) < settings.pairs && covered.missing({from(seen), to(seen)}).empty(); ++seen) {
    interim->add(batch(seen), to(seen));
    if (!is_analysis(seen) && to(seen) < settings.pairs) continue;
    if (!settings.fixed || to(seen) == settings.pairs) ++analyses;
    interim->analyze();
    if (!settings.fixed) ended = interim->end();
    if (!ended && to(seen) == settings.pairs) ended = Stopped::exhausted;
  }
  if (!ended) return;
  batches.erase(batches.lower_bound(seen), batches.end());
  covered = api::Covered();
  covered.add(api::GameRange{0, interim->pairs()});
}

ComparisonPart::ComparisonPart(std::unique_ptr<Data> data) : data_(std::move(data)) {}
void ComparisonPart::check(const api::Game& a, const api::Game& b, const CompareSettings& settings) {
  check_settings(settings);
  api::SimulateSettings play = settings.play;
  play.games = settings.pairs;
  api::detail::check_run(a, play);
  api::detail::check_run(b, play);
}
ComparisonPart::ComparisonPart(const api::Game& a, const api::Game& b, const CompareSettings& settings) {
  check(a, b, settings);
  data_ = std::make_unique<Data>(a, b, settings);
  data_->begin(play_pilot(a, b, settings.play, data_->rows));
}
ComparisonPart::~ComparisonPart() = default;
ComparisonPart::ComparisonPart(ComparisonPart&&) noexcept = default;
ComparisonPart& ComparisonPart::operator=(ComparisonPart&&) noexcept = default;

const api::Covered& ComparisonPart::covered() const { return data_->covered; }
std::vector<api::GameRange> ComparisonPart::missing(api::GameRange of) const {
  return data_->ended ? std::vector<api::GameRange>() : data_->covered.missing(of);
}
const CompareSettings& ComparisonPart::settings() const { return data_->settings; }
bool ComparisonPart::is_decided() const { return data_->ended.has_value(); }

void ComparisonPart::play(api::GameRange range, const CompareSettings& settings, const api::Checkpoint& checkpoint) {
  Data& d = *data_;
  const auto start = std::chrono::steady_clock::now();
  CompareSettings how = settings;
  how.play.figures = d.settings.play.figures;
  how.play.games = d.settings.pairs;
  api::Checkpoints checkpoints(checkpoint);
  PairPlayers players(d.a, d.b, how, checkpoints, range.to - range.from);
  CompareProgress progress{0, d.settings.pairs, d.interim->open_rows(), d.interim->main_rows(), 0};
  const auto report = [&](std::uint64_t pairs) {
    progress.pairs = pairs;
    if (settings.progress) settings.progress(progress);
  };
  const auto stopped = [&] { return settings.stop && *settings.stop; };
  for (std::size_t n = 0; d.from(n) < range.to && !d.ended && !stopped(); ++n) {
    const api::GameRange wanted{std::max(range.from, d.from(n)), std::min(range.to, d.to(n))};
    checkpoints.each([&] { return d.covered.missing(wanted); },
                     [&](api::GameRange left) {
                       const auto [sums, played] = players.play(left.from, left.to, d.rows, report);
                       d.batch(n).add(sums);
                       d.covered.add(played);
                       return !stopped();
                     });
    d.analyze_batches();
    progress = {progress.pairs, d.settings.pairs, d.interim->open_rows(), d.interim->main_rows(),
                d.interim->estimate()};
  }
  d.seconds += api::detail::seconds_since(start);
}

void ComparisonPart::add(const ComparisonPart& other) {
  Data& d = *data_;
  const Data& o = *other.data_;
  const Json mine = run_of(d.a, d.b, d.settings), theirs = run_of(o.a, o.b, o.settings);
  if (mine != theirs)
    throw api::Error(api::Blame::caller,
                     "the parts belong to different comparisons: " + api::detail::difference(mine, theirs));
  if (d.ended) return;   // the comparison is decided, so more pairs have no effect
  d.covered.add(o.covered);
  for (const auto& [n, batch] : o.batches) d.batch(n).add(batch);
  d.analyze_batches();
}

Comparison ComparisonPart::comparison() const {
  const Data& d = *data_;
  Comparison out;
  out.figures = d.interim->figures();
  out.pairs = d.interim->pairs();
  out.analyses = d.analyses;
  out.stopped = d.ended.value_or(Stopped::interrupted);
  out.discoveries = d.interim->found();
  out.tested = d.rows.both.size() + d.rows.cards.size();
  out.margin = d.settings.margin;
  out.fixed = d.settings.fixed;
  out.needed = d.interim->needed();
  out.failures_a = d.interim->sum().failures_a.counts();
  out.failures_b = d.interim->sum().failures_b.counts();
  add_failed(out);
  out.seconds = d.seconds;
  add_correlation(out);
  return out;
}

std::string ComparisonPart::text() const {
  const Data& d = *data_;
  Json out = {{"command", "compare"}, {"run", run_of(d.a, d.b, d.settings)}};
  out["covered"] = api::detail::json_of(d.covered);
  out["pilot"] = d.rows.pilot.json();
  out["batches"] = Json::array();
  for (const auto& [n, batch] : d.batches) out["batches"].push_back({n, batch.json()});
  return api::detail::framed(out);
}

ComparisonPart ComparisonPart::read(const api::Game& a, const api::Game& b, const std::string& text) {
  const Json json = api::detail::unframed(text);
  return api::detail::read_part([&] {
    auto data = std::make_unique<Data>(a, b, settings_of(a, b, json.at("run")));
    check_settings(data->settings);
    PairBatch pilot = data->rows.empty();
    pilot.add(json.at("pilot"));
    data->begin(std::move(pilot));
    data->covered = api::detail::covered_of(json.at("covered"));
    for (const Json& batch : json.at("batches")) data->batch(batch.at(0)).add(batch.at(1));
    data->analyze_batches();
    return ComparisonPart(std::move(data));
  });
}

Comparison compare(const api::Game& a, const api::Game& b, const CompareSettings& settings) {
  ComparisonPart part(a, b, settings);
  part.play({0, settings.pairs}, settings);
  return part.comparison();
}

}   // namespace cardwright::statistics
