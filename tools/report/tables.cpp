// Formats tables of figures as HTML, with placeholders for plots.
#include "tools/report/tables.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tools/report/bars.h"
#include "tools/report/numbers.h"
#include "tools/report/verdicts.h"

namespace cardwright::report {

namespace {

using statistics::Estimate;
using statistics::Figure;
using statistics::FigureTable;

std::string cell(const std::string& text, std::string_view of = "") {
  return fmt::format("<td{}>{}</td>", of.empty() ? "" : fmt::format(" class=\"{}\"", of), escaped(text));
}

std::string column(const std::string& name, std::string_view of = "") {
  return fmt::format("<th scope=\"col\"{}>{}</th>", of.empty() ? "" : fmt::format(" class=\"{}\"", of), escaped(name));
}

std::string verdict_cell(const Figure& row) {
  const char* of = row.verdict == statistics::Verdict::differs ? "differs"
                   : row.verdict == statistics::Verdict::same  ? "same"
                                                               : "open";
  return fmt::format("<td><span class=\"verdict {}\">{}</span></td>", of,
                     row.verdict == statistics::Verdict::same ? "same" : statistics::name_of(row.verdict));
}

bool has_amounts(const FigureTable& table) { return table.unit != "%" && table.columns.empty() && table.along.empty(); }

std::string range_text(const std::optional<statistics::Interval>& range, Unit unit) {
  if (!range) return "–";
  return range->low == range->high ? value_text(range->low, unit, 0) : interval_text(range, unit, 0, false);
}

std::string further(const std::vector<double>& cells, std::size_t columns) {
  std::string out;
  for (std::size_t i = 0; i < columns; ++i) out += cell(i < cells.size() ? cell_text(cells[i]) : "–");
  return out;
}

// The number of decimal places. For shares, it is the same for all rows and is chosen so that at least half of the rows
// are precise enough; a share that would otherwise have no significant digits uses more. Rows in other units use their
// own number.
struct Exact {
  int usual = 0;

  int of(Unit unit, double value, int own) const {
    if (unit != Unit::share) return own;
    return value != 0 && std::abs(value) * 200 * std::pow(10, usual) < 1 ? std::max(own, usual) : usual;
  }
};

const std::optional<statistics::Interval>& known(const Figure& row) {
  return row.difference ? row.difference->interval : row.a.interval;
}

Exact exact(const FigureTable& table) {
  std::vector<int> all;
  for (const Figure& row : table.rows) all.push_back(digits_for(unit_of(table, row), known(row), row.a.value));
  std::sort(all.begin(), all.end());
  return {all.empty() ? 0 : all[all.size() / 2]};
}

std::string in_unit(const std::string& what, const FigureTable& table, const char* unit) {
  return table.unit == "%" ? what + ", " + unit : what;
}

// ---- one game

std::string value_heading(const FigureTable& table) {
  if (table.unit == "%") return "share, %";
  return table.unit.empty() || table.unit == "ms" ? "mean" : table.unit;
}

// Returns true if a table of one game has intervals. Some tables never have them, such as counts of unused actions.
bool has_intervals(const FigureTable& table) {
  return table.topic == statistics::Topic::length || table.topic == statistics::Topic::winning ||
         std::any_of(table.rows.begin(), table.rows.end(),
                     [](const Figure& row) { return row.a.interval.has_value(); });
}

// Returns the text of a row's interval. A choice inside an effect has no rate, and no number of games would give it an
// interval.
std::string interval_cell(const Figure& row, Unit unit, int digits) {
  return cell(row.a.interval || std::isfinite(row.a.value) ? bare_interval(row.a.interval, unit, digits, false) : "–");
}

std::string head_of_one(const ShownTable& one) {
  const FigureTable& table = one.table;
  std::string out = column("") + column(value_heading(table));
  if (has_intervals(table)) out += column(in_unit("95 % interval", table, "%"));
  if (one.fair) out += column("vs. average player, points");
  if (has_amounts(table)) out += column("median") + column("min to max", "more") + column("standard deviation", "more");
  for (const std::string& name : table.columns) out += column(name);
  return out + column("games", "more");
}

std::string fair_cell(const ShownTable& one, const Figure& row, int digits) {
  const std::string text = bare_difference(row.a.value - *one.fair, Unit::share, digits);
  return cell(text, differs_significantly(one.table, row, *one.fair) ? "far" : "near");
}

std::string row_of_one(const ShownTable& one, const Figure& row) {
  const FigureTable& table = one.table;
  const Unit unit = unit_of(table, row);
  const int digits = exact(table).of(unit, row.a.value, digits_for(unit, row.a.interval, row.a.value));
  std::string out = cell(bare_value(row.a.value, unit, digits));
  if (has_intervals(table)) out += interval_cell(row, unit, digits);
  if (one.fair) out += fair_cell(one, row, digits);
  if (has_amounts(table)) {
    out += cell(range_text(row.median, unit));
    out +=
        cell(row.histogram.empty()
                 ? "–"
                 : range_text(statistics::Interval{double(row.histogram.front().from), double(row.histogram.back().to)},
                              unit),
             "more");
    const bool known = row.a.deviation > 0 || row.histogram.size() == 1;
    out += cell(known ? value_text(row.a.deviation, unit, row.a.deviation < 1 ? 2 : 1) : "–", "more");
  }
  return out + further(row.cells, table.columns.size()) + cell(grouped(row.a.games), "more");
}

// ---- two games

std::string head_of_two(const FigureTable& table) {
  std::string out = column("") + column(in_unit("A", table, "%"), "of-a") + column(in_unit("B", table, "%"), "of-b") +
                    column(in_unit("B − A", table, "points")) + column(in_unit("interval", table, "points")) +
                    column("verdict");
  for (const std::string& name : table.columns) out += column("A: " + name, "more") + column("B: " + name, "more");
  return out + column("pairs", "more");
}

std::string row_of_two(const FigureTable& table, const Figure& row) {
  const Unit unit = unit_of(table, row);
  const Estimate difference = row.difference.value_or(Estimate{std::nan(""), std::nullopt, 0, 0});
  const double most = std::max(std::abs(row.a.value), std::abs(row.b->value));
  const int digits = exact(table).of(unit, most, digits_for(unit, difference.interval, most));
  const auto side = [&](const Estimate& e) { return cell(e.games ? bare_value(e.value, unit, digits) : "–"); };
  std::string out = side(row.a) + side(*row.b) + cell(bare_difference(difference.value, unit, digits)) +
                    cell(bare_interval(difference.interval, unit, digits, true)) + verdict_cell(row);
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    out += cell(i < row.cells.size() ? cell_text(row.cells[i]) : "–", "more") +
           cell(i < row.cells_b.size() ? cell_text(row.cells_b[i]) : "–", "more");
  return out + cell(grouped(difference.games), "more");
}

// ---- histograms

std::string bar_name(const Bars& bars, std::size_t i, Unit unit) {
  const std::int64_t from = bars.from + static_cast<std::int64_t>(i) * bars.step;
  const auto text = [&](std::int64_t value) { return value_text(double(value), unit, unit == Unit::time ? 1 : 0); };
  return bars.step == 1 ? text(from) : fmt::format("{} to {}", text(from), text(from + bars.step - 1));
}

std::string share_cell(std::uint64_t games, std::uint64_t of) {
  return cell(of ? value_text(double(games) / double(of), Unit::share, 2) : "–");
}

std::string bars_html(const FigureTable& table, const Figure& row) {
  const Bars bars = bars_of(row);
  if (bars.a.size() < 2) return {};
  const bool two = !bars.b.empty();
  const Unit unit = unit_of(table, row);
  std::string out = fmt::format(
      "<details><summary>Games by {}</summary>\n<table><caption>Number of games by value</caption>"
      "<thead><tr>{}{}{}</tr></thead><tbody>\n",
      escaped(unit == Unit::time ? "seconds" : row.name), column(unit == Unit::time ? "time" : row.name),
      column(two ? "A" : "games"), two ? column("B") : "");
  for (std::size_t i = 0; i < bars.a.size(); ++i)
    out += fmt::format("<tr><th scope=\"row\">{}</th>{}{}</tr>\n", bar_name(bars, i, unit),
                       share_cell(bars.a[i], bars.games_a), two ? share_cell(bars.b[i], bars.games_b) : "");
  if (bars.beyond_a + bars.beyond_b)
    out += fmt::format("<tr><th scope=\"row\">more, up to {}</th>{}{}</tr>\n", value_text(double(bars.most), unit, 0),
                       share_cell(bars.beyond_a, bars.games_a), two ? share_cell(bars.beyond_b, bars.games_b) : "");
  return out + "</tbody></table></details>\n";
}

// ---- placeholders of plots

std::string plot_html(std::size_t index, const std::string& of, const std::string& label) {
  return fmt::format("<div class=\"plot\" role=\"img\" data-table=\"{}\"{} aria-label=\"{}\"></div>\n", index, of,
                     escaped(label));
}

std::string plots_html(const ShownTable& one, std::size_t index) {
  const std::string title = title_text(one.table);
  const auto says = [](const Figure& row) { return row.a.value != 0 || (row.b && row.b->value != 0); };
  if (std::none_of(one.table.rows.begin(), one.table.rows.end(), says)) return {};
  if (one.plot != Plot::bars) return plot_html(index, "", title + ": a plot of the table below");
  std::string out;
  for (std::size_t i = 0; i < one.table.rows.size(); ++i) {
    const Figure& row = one.table.rows[i];
    if (row.histogram.size() < 2 && row.histogram_b.size() < 2) continue;
    const std::string what = row.name == "milliseconds" ? "seconds" : row.name;
    out += fmt::format(
        "<figure><figcaption>{} {}</figcaption>\n{}{}</figure>\n", escaped(title),
        escaped((one.table.topic == statistics::Topic::length ? "in " : "of ") + what),
        plot_html(index, fmt::format(" data-row=\"{}\"", i), fmt::format("{}, {}: histogram of games", title, what)),
        bars_html(one.table, row));
  }
  if (one.is_two()) out += plot_html(index, " data-part=\"difference\"", title + ": difference B − A");
  return out;
}

// Lists example games for the rows of a table, with the command that records one of them.
std::string examples_html(const Report& report, const FigureTable& table) {
  std::string items;
  std::uint64_t first = 0;
  for (const Figure& row : table.rows)
    for (const Example& one : report.examples) {
      if (one.table != table.title || one.row != row.name) continue;
      if (items.empty()) first = one.games[0].second;
      std::string games;
      for (const auto& [what, game] : one.games)
        games += fmt::format("{}{}{}game {}", games.empty() ? "" : ", ", what, what.empty() ? "" : " in ", game);
      items += fmt::format("<li>{}: {}</li>\n", escaped(row.name), games);
    }
  if (items.empty()) return {};
  return fmt::format(
      "<details><summary>Example games</summary>\n<ul>\n{}</ul>\n<p class=\"note\">To record a game, replace {} by "
      "its number:</p>\n<pre>{}</pre></details>\n",
      items, first,
      escaped(fmt::format("{} --seed {} --first-game {} --games 1 --trace game.jsonl", report.sides[0].command,
                          report.seed, first)));
}

std::string list(const std::vector<std::string>& names) { return fmt::format("{}", fmt::join(names, "; ")); }

std::string notes_html(const Report& report, const ShownTable& one) {
  std::string out;
  const auto note = [&](const std::string& text) { out += "<p class=\"note\">" + escaped(text) + "</p>\n"; };
  const bool two = one.is_two();
  if (const std::string counted = statistics::counted_games(report.figures, one.table, two ? "A" : "", two ? "B" : "");
      !counted.empty())
    note("Based on " + counted + ".");
  if (!one.idle.empty()) note("In no game: " + list(one.idle) + ".");
  if (!one.table.only_a.empty()) note("Only in A: " + list(one.table.only_a) + ".");
  if (!one.table.only_b.empty()) note("Only in B: " + list(one.table.only_b) + ".");
  const auto unpaired = [](const Figure& row) { return !row.paired; };
  if (std::any_of(one.table.rows.begin(), one.table.rows.end(), unpaired))
    note(
        "† Not paired: A and B seat different players on the same deal, so all games of A are compared with all games "
        "of B.");
  return out;
}

}   // namespace

std::string title_text(const FigureTable& table) {
  std::string out = table.title;
  if (!out.empty() && out[0] >= 'a' && out[0] <= 'z') out[0] = static_cast<char>(out[0] - 'a' + 'A');
  return out;
}

std::string table_html(const Report& report, const ShownTable& one, std::size_t index) {
  const FigureTable& table = one.table;
  const std::string title = title_text(table);
  std::string out = fmt::format("<article>\n<h3>{}</h3>\n", escaped(title));
  if (table.rows.empty()) return out + notes_html(report, one) + "</article>\n";
  out += plots_html(one, index);
  const bool two = one.is_two();
  out += fmt::format(
      "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"{}, as a table\">\n<table "
      "class=\"figures\" data-table=\"{}\">\n<caption>{}</caption>\n<thead><tr>{}</tr></thead>\n<tbody>\n",
      escaped(title), index, escaped(title), two ? head_of_two(table) : head_of_one(one));
  for (const Figure& row : table.rows)
    out +=
        fmt::format("<tr><th scope=\"row\">{}{}</th>{}</tr>\n", escaped(row.name == "milliseconds" ? "time" : row.name),
                    row.paired ? "" : " †", two ? row_of_two(table, row) : row_of_one(one, row));
  return out + "</tbody>\n</table>\n</div>\n" + examples_html(report, table) + notes_html(report, one) + "</article>\n";
}

}   // namespace cardwright::report
