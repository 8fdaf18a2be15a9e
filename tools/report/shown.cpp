// Sorts the tables and rows of a report, and separates rows without data.
#include "tools/report/shown.h"

#include <algorithm>
#include <cmath>

namespace cardwright::report {

namespace {

using statistics::Figure;
using statistics::FigureTable;

bool is_idle(const FigureTable& table, const Figure& row) {
  const std::uint64_t games = row.a.games + (row.b ? row.b->games : 0);
  if (games == 0) return table.columns.empty();
  // In these tables, rows without wins or uses are informative.
  if (table.topic == statistics::Topic::winning && table.title != "wins") return false;   // also scores of 0
  const bool never = row.a.value == 0 && (!row.b || row.b->value == 0);
  return never && table.unit == "%" && table.columns.empty() && table.along.empty();
}

// Returns the win rate of an average player: the mean over seats. Rows of other tables can have different numbers of
// players, so their mean would not be that of players.
std::optional<double> average_player(const statistics::Figures& figures) {
  const auto seats = std::find_if(figures.tables.begin(), figures.tables.end(),
                                  [](const FigureTable& table) { return table.title == "wins by seat"; });
  if (seats == figures.tables.end() || seats->rows.empty()) return std::nullopt;
  double wins = 0;
  for (const Figure& row : seats->rows) wins += row.a.value;
  return wins / static_cast<double>(seats->rows.size());
}

int rank(statistics::Verdict verdict) {
  switch (verdict) {
    case statistics::Verdict::differs: return 0;
    case statistics::Verdict::open: return 1;
    case statistics::Verdict::same: return 2;
    case statistics::Verdict::none: return 3;
  }
  return 3;
}

// Returns true if rows must not be sorted: seats and sections of a game have a natural order, and some topics are
// already sorted.
bool keeps_order(const FigureTable& table) {
  if (!table.along.empty() || !table.columns.empty()) return true;
  if (table.title == "wins by seat" || table.title == "length" || table.title.starts_with("scores (")) return true;
  return table.topic != statistics::Topic::winning && table.topic != statistics::Topic::length;
}

// Sorts rows by value, or by difference for the winners of two games.
void sort(FigureTable& table, bool two) {
  if (keeps_order(table)) return;
  std::stable_sort(table.rows.begin(), table.rows.end(), [&](const Figure& x, const Figure& y) {
    if (!two || table.topic != statistics::Topic::winning) return x.a.value > y.a.value;
    if (x.verdict != y.verdict) return rank(x.verdict) < rank(y.verdict);
    const auto size = [](const Figure& f) { return f.difference ? std::abs(f.difference->value) : 0; };
    return size(x) > size(y);
  });
}

Plot plot_of(const FigureTable& table) {
  if (!table.along.empty()) return Plot::course;
  const auto spread = [](const Figure& row) { return row.histogram.size() > 1 || row.histogram_b.size() > 1; };
  return std::any_of(table.rows.begin(), table.rows.end(), spread) ? Plot::bars : Plot::dots;
}

ShownTable show(const FigureTable& table, bool two, const std::optional<double>& average) {
  ShownTable out{table, plot_of(table), {}, std::nullopt};
  for (const Figure& row : table.rows)
    if (is_idle(table, row)) out.idle.push_back(row.name);
  std::erase_if(out.table.rows, [&](const Figure& row) { return is_idle(table, row); });
  sort(out.table, two);
  // "wins" counts games without a winner, not players.
  if (table.title.starts_with("wins by ")) out.fair = average;
  return out;
}

}   // namespace

std::string_view name_of(Plot plot) {
  switch (plot) {
    case Plot::dots: return "dots";
    case Plot::bars: return "bars";
    case Plot::course: return "course";
  }
  return {};
}

std::vector<ShownTable> shown(const Report& report) {
  std::vector<ShownTable> out;
  const std::optional<double> average = average_player(report.figures);
  for (const FigureTable& table : report.figures.tables) out.push_back(show(table, report.sides.size() > 1, average));
  std::stable_sort(out.begin(), out.end(),
                   [](const ShownTable& x, const ShownTable& y) { return x.table.topic < y.table.topic; });
  return out;
}

}   // namespace cardwright::report
