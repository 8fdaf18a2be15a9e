// Converts measures, standard figures and tension to tables of figures.
#include "simulation/statistics/standard_figures.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace cardwright::statistics {

namespace {

// The cells of a measure have tables of their courses only if the measure has at most this number of cells.
constexpr std::size_t kMostCourses = 8;

Figure plain(std::string name, double value, std::uint64_t games) {
  Figure out;
  out.name = std::move(name);
  out.a = {value, std::nullopt, 0, games};
  return out;
}

FigureTable table_of(std::string title, std::string unit, Topic topic) {
  FigureTable out;
  out.title = std::move(title);
  out.unit = std::move(unit);
  out.topic = topic;
  return out;
}

// ---- measures

std::string unit_of(const api::MeasureTable& table) {
  if (table.what == "share") return "%";
  return table.duration ? "ms" : "";
}

Figure measured(std::string name, const api::MeasureSums& sums, double scale = 1) {
  Figure out = plain(std::move(name), scale * sums.value(), sums.games);
  const auto [low, high] = sums.interval();
  if (std::isfinite(high - low)) out.a.interval = Interval{scale * low, scale * high};
  return out;
}

double scale_of(const api::MeasureTable& table) { return table.duration ? 1e-3 : 1; }   // microseconds to milliseconds

std::string name_of(const api::MeasureTable& table, const api::MeasureCell& cell) {
  return cell.keys.empty() ? table.name : fmt::format("{}", fmt::join(cell.keys, ", "));
}

void add_course(const api::MeasureTable& measure, const std::string& title, std::size_t cell, Figures& figures) {
  FigureTable table = table_of(title, unit_of(measure), Topic::measures);
  table.along = measure.along;
  for (const api::MeasureStretch& stretch : measure.course) {
    if (stretch.cells[cell].n == 0) continue;
    std::string name = fmt::format("{}", stretch.first);
    if (stretch.last > stretch.first) name += fmt::format("–{}", stretch.last);
    table.rows.push_back(measured(std::move(name), stretch.cells[cell], scale_of(measure)));
  }
  if (table.rows.size() > 1) figures.tables.push_back(std::move(table));
}

void add_measure(const api::MeasureTable& measure, Figures& figures) {
  const std::string title = measure.label.empty() ? measure.name : measure.label;
  FigureTable table = table_of(title, unit_of(measure), Topic::measures);
  for (const api::MeasureCell& cell : measure.cells) {
    Figure& row = table.rows.emplace_back(measured(name_of(measure, cell), cell.sums, scale_of(measure)));
    if (measure.duration) continue;
    for (const auto& [value, count] : cell.histogram) row.histogram.push_back({value, value, count});
  }
  figures.tables.push_back(std::move(table));
  if (measure.course.empty() || measure.cells.size() > kMostCourses) return;
  for (std::size_t cell = 0; cell < measure.cells.size(); ++cell) {
    const bool alone = measure.cells[cell].keys.empty();
    add_course(
        measure,
        fmt::format("{}{}, by {}", title, alone ? "" : ": " + name_of(measure, measure.cells[cell]), measure.along),
        cell, figures);
  }
}

// ---- standard figures

FigureTable actions(const api::StandardFigures& f, bool unused) {
  FigureTable out = unused ? table_of("actions that were never offered or never taken", "%", Topic::broken)
                           : table_of("actions: taken when offered", "%", Topic::actions);
  out.columns = {"offered", "taken", "games without an offer"};
  for (const api::ActionFigure& action : f.actions) {
    if (unused != (action.taken == 0)) continue;
    const double offered = static_cast<double>(action.offered), taken = static_cast<double>(action.taken);
    const bool known = action.counted && action.offered > 0;
    Figure& row = out.rows.emplace_back(known ? measured(action.name, action.rate)
                                              : plain(action.name, unused ? 0 : std::nan(""), f.games));
    row.cells = {action.counted ? offered : std::nan(""), taken, static_cast<double>(action.games_without)};
  }
  return out;
}

FigureTable cards(const api::StandardFigures& f, bool unused) {
  FigureTable out = unused ? table_of("cards that were never played", "points", Topic::broken)
                           : table_of("cards: increase in the win rate when drawn", "points", Topic::cards);
  out.columns = {"drawn", "taken", "played", "discarded", "held", "turns in hand"};
  const bool chosen =
      !unused && std::any_of(f.cards.begin(), f.cards.end(), [](const auto& c) { return c.chosen > 0; });
  if (chosen) out.columns.insert(out.columns.end(), {"chosen face up", "% of choosers who win"});
  for (const api::CardFigure& card : f.cards) {
    if (unused && card.played > 0) continue;
    Figure& row = out.rows.emplace_back(plain(card.name, unused ? 0 : 100 * card.effect, f.games));
    if (!unused && std::isfinite(card.high - card.low)) row.a.interval = Interval{100 * card.low, 100 * card.high};
    for (const std::uint64_t count : {card.drawn, card.taken, card.played, card.discarded, card.held})
      row.cells.push_back(static_cast<double>(count));
    row.cells.push_back(card.turns_in_hand);
    if (!chosen) continue;
    const auto times = static_cast<double>(card.chosen);
    row.cells.push_back(times);
    row.cells.push_back(card.chosen ? 100 * static_cast<double>(card.chosen_wins) / times : std::nan(""));
  }
  return out;
}

void add_pace(const api::StandardFigures& f, Figures& figures) {
  const api::PaceFigures& pace = f.pace;
  if (pace.decisions == 0) return;
  FigureTable table = table_of("pace", "", Topic::pace);
  if (pace.turns) {
    table.rows.push_back(measured("decisions in a turn", pace.per_turn));
    table.rows.push_back(measured("decisions in a turn by the active player", pace.own_per_turn));
  }
  table.rows.push_back(measured("options of a decision", pace.options));
  table.rows.back().median = Interval{double(pace.median_options), double(pace.median_options)};
  table.rows.push_back(measured("decisions by others between two decisions of a player", pace.waiting));
  figures.tables.push_back(std::move(table));
  if (pace.turns) {
    FigureTable dead = table_of("dead turns", "%", Topic::pace);
    dead.rows.push_back(measured("turns in which the active player decides nothing", pace.dead_turns));
    figures.tables.push_back(std::move(dead));
  }
  FigureTable options = table_of("options of a decision, along the game", "", Topic::pace);
  options.along = "tenth of the game";
  for (std::size_t i = 0; i < pace.options_by_tenth.size(); ++i)
    options.rows.push_back(plain(fmt::format("{}", i + 1), pace.options_by_tenth[i], f.games));
  figures.tables.push_back(std::move(options));
}

Figure mean(std::string name, const api::TensionFigures::Mean& of, std::uint64_t games) {
  Figure out = plain(std::move(name), of.value, games);
  if (std::isfinite(of.half)) out.a.interval = Interval{of.value - of.half, of.value + of.half};
  return out;
}

}   // namespace

void add_measures(const std::vector<api::MeasureTable>& measures, Figures& figures) {
  for (const api::MeasureTable& measure : measures) add_measure(measure, figures);
}

void add_standard_figures(const api::StandardFigures& standard, Figures& figures) {
  for (const bool unused : {true, false})
    for (FigureTable table : {actions(standard, unused), cards(standard, unused)})
      if (!table.rows.empty()) figures.tables.push_back(std::move(table));
  add_pace(standard, figures);
}

Figures figures_of(const api::TensionFigures& tension) {
  Figures out;
  FigureTable leads = table_of("lead changes per game", "", Topic::tension);
  leads.rows.push_back(mean("lead changes of at least 5 points", tension.lead_changes, tension.games));
  FigureTable shares = table_of("uncertainty", "%", Topic::tension);
  shares.rows.push_back(mean("comebacks: late in the game, the winner's chance was below half of an equal share",
                             tension.comeback, tension.games));
  shares.rows.push_back(mean("drama: how far the winner was behind the leader", tension.drama, tension.games));
  shares.rows.push_back(
      mean("decided at: part of the game after which the winner stays above 80 %", tension.decided, tension.games));
  FigureTable open = table_of("uncertainty, relative to the maximum", "%", Topic::tension);
  open.along = "tenth of the game";
  for (std::size_t i = 0; i < tension.uncertainty.size(); ++i)
    open.rows.push_back(plain(fmt::format("{}", i + 1), tension.uncertainty[i], tension.games));
  for (FigureTable* table : {&leads, &shares, &open}) out.tables.push_back(std::move(*table));
  return out;
}

}   // namespace cardwright::statistics
