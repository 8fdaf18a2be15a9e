// Formulates the sentences that summarize a report.
#include "tools/report/verdicts.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "simulation/statistics/sequential.h"
#include "tools/report/bars.h"
#include "tools/report/numbers.h"
#include "tools/report/shown.h"

namespace cardwright::report {

namespace {

using statistics::Figure;
using statistics::FigureTable;

constexpr double kLevel = 0.05;

std::string mean_text(const FigureTable& table, const Figure& row) {
  const Unit unit = unit_of(table, row);
  const int digits = digits_for(unit, row.a.interval, row.a.value);
  return value_text(row.a.value, unit, digits);
}

std::string what_is_counted(const Figure& row) { return row.name == "milliseconds" ? "" : " " + row.name; }

std::string length_sentence(const FigureTable& table, const Figure& row) {
  const Unit unit = unit_of(table, row);
  const int digits = digits_for(unit, row.a.interval, row.a.value);
  std::string out = fmt::format("A game takes {}{} on average", mean_text(table, row), what_is_counted(row));
  if (row.a.interval && std::isfinite(row.a.interval->half()))
    out += fmt::format(" ({})", interval_text(row.a.interval, unit, digits, false));
  if (row.histogram.size() > 1) {
    const std::int64_t low = quantile(row.histogram, 0.25), high = quantile(row.histogram, 0.75);
    out += fmt::format("; half of all games take {} to {}", value_text(double(low), unit, 0),
                       value_text(double(high), unit, 0));
  }
  return out + ".";
}

std::string endings_sentence(const FigureTable& table) {
  const auto most = std::max_element(table.rows.begin(), table.rows.end(),
                                     [](const Figure& x, const Figure& y) { return x.a.value < y.a.value; });
  return fmt::format("The most frequent ending is: {} ({}).", most->name, percent_text(most->a.value));
}

std::string winners_sentence(const ShownTable& one) {
  const FigureTable& table = one.table;
  const double fair = one.fair.value_or(0);
  std::vector<const Figure*> out;
  for (const Figure& row : table.rows)
    if (differs_significantly(table, row, fair)) out.push_back(&row);
  const std::string by = table.title.substr(table.title.find("by "));
  const std::string average = value_text(fair, Unit::share, 1);
  if (out.empty()) return fmt::format("Wins {}: no significant differences (average player: {}).", by, average);
  std::sort(out.begin(), out.end(), [](const Figure* x, const Figure* y) { return x->a.value > y->a.value; });
  std::string text = fmt::format("Wins {}: ", by);
  if (out.front()->a.value > fair) {
    text += fmt::format("{} most often ({})", row_text(table, *out.front()), mean_text(table, *out.front()));
    if (out.back()->a.value < fair) text += ", ";
  }
  if (out.back()->a.value < fair)
    text += fmt::format("{} least often ({})", row_text(table, *out.back()), mean_text(table, *out.back()));
  return text + fmt::format("; average player {}.", average);
}

std::string failures_sentence(const Report& report) {
  std::string out;
  for (const Side& side : report.sides)
    if (side.failed) {
      const std::string whose = report.sides.size() > 1 ? (&side == &report.sides[0] ? " of A" : " of B") : "";
      out += fmt::format("{}{} of {} games{} ended with an error.", out.empty() ? "" : " ", grouped(side.failed),
                         grouped(report.games), whose);
    }
  return out.empty() ? "No game ended with an error." : out;
}

// Warns designers that uniform players do not play well.
std::string caution(const Report& report) {
  if (report.policy != "uniform") return {};
  return "The players choose at random, so figures about winners and choices may differ for thinking players.";
}

void add_sentences_of_one(const Report& report, Verdicts& out) {
  out.sentences.push_back(
      fmt::format("{2} played {0} of {1}{3}.", report.games == 1 ? "1 game" : grouped(report.games) + " games",
                  report.sides[0].title, players_text(report), report.stopped ? "; the run stopped early" : ""));
  out.sentences.push_back(failures_sentence(report));
  if (report.games == 0) return;
  for (const ShownTable& one : shown(report))
    if (one.fair && !one.table.rows.empty()) out.sentences.push_back(winners_sentence(one));
  if (report.without_winner)
    out.sentences.push_back(
        fmt::format("{} of games have no winner.", percent_text(double(report.without_winner) / double(report.games))));
  for (const FigureTable& table : report.figures.tables) {
    if (table.rows.empty()) continue;
    if (table.title == "length")
      for (const Figure& row : table.rows)
        if (&row == &table.rows[0] || row.name == "milliseconds") out.sentences.push_back(length_sentence(table, row));
    if (table.title == "endings") out.sentences.push_back(endings_sentence(table));
  }
  if (const std::string text = caution(report); !text.empty()) out.sentences.push_back(text);
}

// ---- two games

std::string reason(statistics::Stopped stopped) {
  switch (stopped) {
    case statistics::Stopped::decided: return "the run stopped when all main figures were decided";
    case statistics::Stopped::precise: return "the run stopped at the required precision";
    case statistics::Stopped::exhausted: return "this is the requested number";
    case statistics::Stopped::interrupted: return "the run was interrupted, so these verdicts are preliminary";
  }
  return {};
}

std::string change_text(const FigureTable& table, const Figure& row) {
  const Unit unit = unit_of(table, row);
  const auto& difference = *row.difference;
  const int digits = digits_for(unit, difference.interval, difference.value);
  return fmt::format("{}, {}: {} → {}, {} ({})", table.title, row_text(table, row),
                     value_text(row.a.value, unit, digits), value_text(row.b->value, unit, digits),
                     difference_text(difference.value, unit, digits),
                     interval_text(difference.interval, unit, digits, true));
}

// Lists the rows with this verdict. Rows that differ are listed with their values, other rows by name only.
Found found(const Report& report, statistics::Verdict verdict) {
  Found out{verdict, {}};
  for (const ShownTable& one : shown(report)) {
    std::string names;
    for (const Figure& row : one.table.rows) {
      if (row.verdict != verdict || !row.difference) continue;
      if (verdict == statistics::Verdict::differs)
        out.rows.push_back(change_text(one.table, row));
      else if (row.is_main)
        names += (names.empty() ? "" : "; ") + row.name;
    }
    if (!names.empty()) out.rows.push_back(one.table.title + ": " + names);
  }
  return out;
}

void add_sentences_of_two(const Report& report, Verdicts& out) {
  const Compared& c = *report.compared;
  out.sentences.push_back(fmt::format("{1} played {0} pairs of games on the same deals; {2}.", grouped(report.games),
                                      players_text(report), reason(c.stopped)));
  out.sentences.push_back(c.discoveries == 0
                              ? fmt::format("None of {} tested figures differs.", c.tested)
                              : fmt::format("{} tested figures, of which {} {} (false discovery rate at most 5 %).",
                                            c.tested, c.discoveries, c.discoveries == 1 ? "differs" : "differ"));
  out.sentences.push_back(failures_sentence(report));
  if (const std::string text = caution(report); !text.empty()) out.sentences.push_back(text);
  for (const statistics::Verdict verdict :
       {statistics::Verdict::differs, statistics::Verdict::same, statistics::Verdict::open})
    if (Found one = found(report, verdict); !one.rows.empty()) out.found.push_back(std::move(one));
}

}   // namespace

std::string players_text(const Report& report) {
  const std::string count = fmt::format("{} player{}", report.players, report.players == 1 ? "" : "s");
  const std::string who = report.players == 1 ? "chooses" : "choose";
  if (report.policy == "uniform") return fmt::format("{} who {} at random", count, who);
  return fmt::format("{} with policy {}", count, report.policy);
}

std::string row_text(const FigureTable& table, const Figure& row) {
  return table.title == "wins by seat" ? "seat " + row.name : row.name;
}

bool differs_significantly(const FigureTable& table, const Figure& row, double fair) {
  if (!row.a.interval || !std::isfinite(row.a.interval->half())) return false;
  const double wider = statistics::normal_quantile(kLevel / double(std::max<std::size_t>(1, table.rows.size()))) /
                       statistics::normal_quantile(kLevel);
  return fair < row.a.value - wider * (row.a.value - row.a.interval->low) ||
         fair > row.a.value + wider * (row.a.interval->high - row.a.value);
}

Verdicts verdicts_of(const Report& report) {
  Verdicts out;
  if (report.compared)
    add_sentences_of_two(report, out);
  else
    add_sentences_of_one(report, out);
  return out;
}

nlohmann::ordered_json verdicts_json(const Report& report) {
  const Verdicts verdicts = verdicts_of(report);
  nlohmann::ordered_json out = verdicts.sentences;
  for (const Found& one : verdicts.found)
    for (const std::string& row : one.rows) out.push_back(fmt::format("{}: {}", statistics::name_of(one.verdict), row));
  return out;
}

}   // namespace cardwright::report
