// Converts the results of a simulation to figures.
#include "cardwright/statistics.hpp"
#include "simulation/statistics/standard_figures.h"

namespace cardwright::statistics {

namespace {

Interval interval_of(const std::pair<double, double>& range) { return {range.first, range.second}; }

Figure amount(std::string name, const api::Spread& spread) {
  Figure out;
  out.name = std::move(name);
  out.a = {spread.mean, std::nullopt, spread.deviation, spread.games};
  if (spread.games > 1) out.a.interval = interval_of(spread.interval());
  out.median = Interval{double(spread.median), double(spread.median)};
  out.histogram = spread.bins;
  return out;
}

Figure share(std::string name, double value, double deviation, std::uint64_t games, std::pair<double, double> range) {
  Figure out;
  out.name = std::move(name);
  out.a = {value, interval_of(range), deviation, games};
  return out;
}

Figure score(const api::ScoreMean& of, const std::string& prefix = {}) {
  Figure out;
  out.name = prefix + of.name;
  out.a = {of.mean, std::nullopt, of.deviation, of.games};
  if (of.games > 1) out.a.interval = interval_of(of.interval());
  return out;
}

FigureTable scores(const api::ScoreStatistics& s) {
  FigureTable out{"scores (" + s.name + ")", "", {}, {}, {}, Topic::winning};
  out.rows.push_back(score(s.all));
  for (const api::ScoreMean& one : s.seats) out.rows.push_back(score(one));
  for (const api::ScoreMean& one : s.policies) out.rows.push_back(score(one, "policy "));
  return out;
}

}   // namespace

Figures figures_of(const api::Statistics& s) {
  Figures out;
  FigureTable length{"length", "", {}, {}, {}, Topic::length};
  if (s.has_turns) length.rows.push_back(amount("turns", s.turns));
  length.rows.push_back(amount("decisions", s.lengths));
  if (s.race) length.rows.push_back(amount("milliseconds", s.race->per_game));
  out.tables.push_back(std::move(length));
  FigureTable endings{"endings", "%", {}, {}, {}, Topic::length};
  for (const api::EndingCount& ending : s.endings)
    endings.rows.push_back(
        share(ending.text, ending.of ? double(ending.games) / double(ending.of) : 0, 0, ending.of, ending.interval()));
  out.tables.push_back(std::move(endings));
  for (const api::ShareGroup& group : s.groups) {
    FigureTable table{"wins by " + group.name, "%", {}, {}, {}, Topic::winning};
    for (const api::Share& one : group.shares)
      table.rows.push_back(share(one.name, one.rate(), one.deviation, one.tables, one.interval()));
    out.tables.push_back(std::move(table));
  }
  if (s.scores) out.tables.push_back(scores(*s.scores));
  add_measures(s.measures, out);
  if (s.figures) add_standard_figures(*s.figures, out);
  if (s.tension)
    for (FigureTable& table : figures_of(*s.tension).tables) out.tables.push_back(std::move(table));
  out.games = s.games;
  out.failed_a = s.failed;
  for (FigureTable& table : out.tables)
    table.without_failed = s.failed > 0 && table.topic != Topic::tension && table.title != "length";
  return out;
}

}   // namespace cardwright::statistics
