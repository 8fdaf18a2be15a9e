// Writes figures as JSON and CSV.
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cardwright/statistics.hpp"

namespace cardwright::statistics {

namespace {

using Json = nlohmann::ordered_json;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json interval(const std::optional<Interval>& range) {
  return range ? Json::array({number(range->low), number(range->high)}) : Json(nullptr);
}

Json estimate(const Estimate& e) {
  return {{"value", number(e.value)},
          {"interval", interval(e.interval)},
          {"deviation", number(e.deviation)},
          {"games", e.games}};
}

Json bins(const std::vector<Bin>& all) {
  Json out = Json::array();
  for (const Bin& bin : all) out.push_back(Json::array({bin.from, bin.to, bin.games}));
  return out;
}

Json numbers(const std::vector<double>& all) {
  Json out = Json::array();
  for (const double value : all) out.push_back(number(value));
  return out;
}

Json figure(const Figure& f) {
  Json out = {{"name", f.name}, {"a", estimate(f.a)}};
  if (!f.cells.empty()) out["a"]["cells"] = numbers(f.cells);
  if (f.median) out["a"]["median"] = interval(f.median);
  if (!f.histogram.empty()) out["a"]["histogram"] = bins(f.histogram);
  if (!f.b) return out;
  out["b"] = estimate(*f.b);
  if (!f.cells_b.empty()) out["b"]["cells"] = numbers(f.cells_b);
  if (f.median_b) out["b"]["median"] = interval(f.median_b);
  if (!f.histogram_b.empty()) out["b"]["histogram"] = bins(f.histogram_b);
  if (f.difference) out["difference"] = estimate(*f.difference);
  out["verdict"] = name_of(f.verdict);
  out["main"] = f.is_main;
  out["paired"] = f.paired;
  out["log_evidence"] = number(f.log_evidence);
  out["correlation"] = number(f.correlation);
  return out;
}

// Quotes a CSV field according to RFC 4180.
std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

std::string value(double v) { return std::isfinite(v) ? fmt::format("{}", v) : std::string(); }

std::string cells(const std::optional<Estimate>& e) {
  if (!e) return ",,,,";
  return fmt::format("{},{},{},{},{}", value(e->value), e->interval ? value(e->interval->low) : "",
                     e->interval ? value(e->interval->high) : "", value(e->deviation), e->games);
}

std::string further(const std::vector<std::string>& columns, std::string_view of) {
  std::string out;
  for (const std::string& column : columns) out += "," + quoted(std::string(of) + column);
  return out;
}

std::string further(const std::vector<double>& values, std::size_t columns) {
  std::string out;
  for (std::size_t i = 0; i < columns; ++i) out += "," + (i < values.size() ? value(values[i]) : "");
  return out;
}

}   // namespace

std::string_view name_of(Topic topic) {
  switch (topic) {
    case Topic::broken: return "broken";
    case Topic::winning: return "winning";
    case Topic::length: return "length";
    case Topic::pace: return "pace";
    case Topic::tension: return "tension";
    case Topic::cards: return "cards";
    case Topic::actions: return "actions";
    case Topic::measures: return "measures";
  }
  return {};
}

Topic topic_of(std::string_view title) {
  if (title == "errors") return Topic::broken;
  if (title == "wins" || title.starts_with("wins by ") || title.starts_with("scores (")) return Topic::winning;
  if (title == "length" || title == "endings") return Topic::length;
  if (title == "pace" || title == "dead turns") return Topic::pace;
  if (title == "uncertainty") return Topic::tension;
  if (title.starts_with("cards: ")) return Topic::cards;
  if (title.starts_with("actions: ")) return Topic::actions;
  return Topic::measures;
}

std::string counted_games(const Figures& figures, const FigureTable& table, std::string_view a, std::string_view b) {
  if (!table.without_failed) return {};
  std::string out;
  for (const auto& [side, failed] : {std::pair(a, figures.failed_a), std::pair(b, figures.failed_b)}) {
    if (failed == 0) continue;
    out += fmt::format("{} {} of {} games{}{}", out.empty() ? "only the" : " and the", figures.games - failed,
                       figures.games, side.empty() ? "" : " of ", side);
  }
  return out.empty() ? out : out + " that ended without an error";
}

std::string as_json(const Figures& figures) {
  Json tables = Json::array();
  for (const FigureTable& table : figures.tables) {
    Json rows = Json::array();
    for (const Figure& row : table.rows) rows.push_back(figure(row));
    Json out = {
        {"title", table.title}, {"topic", name_of(table.topic)}, {"unit", table.unit}, {"rows", std::move(rows)}};
    if (!table.along.empty()) out["along"] = table.along;
    if (!table.columns.empty()) out["columns"] = table.columns;
    if (!table.only_a.empty()) out["only_a"] = table.only_a;
    if (!table.only_b.empty()) out["only_b"] = table.only_b;
    if (table.without_failed) out["without_failed"] = true;
    tables.push_back(std::move(out));
  }
  return Json{{"tables", std::move(tables)}}.dump();
}

std::string as_json(const std::vector<api::FailureCount>& failures) {
  Json out = Json::array();
  for (const api::FailureCount& f : failures)
    out.push_back({{"trap", f.failure.trap},
                   {"details", f.failure.details},
                   {"place", f.failure.place},
                   {"count", f.count},
                   {"first_game", f.first_game}});
  return out.dump();
}

std::string as_csv(const FigureTable& table) {
  const bool two = !table.rows.empty() && table.rows[0].b;
  std::string out = two ? "name,a,a_low,a_high,a_deviation,a_games,b,b_low,b_high,b_deviation,b_games,difference,"
                          "difference_low,difference_high,difference_deviation,difference_games,verdict"
                        : "name,value,low,high,deviation,games";
  out += further(table.columns, two ? "a: " : "");
  if (two) out += further(table.columns, "b: ");
  out += "\r\n";
  for (const Figure& row : table.rows) {
    out += quoted(row.name) + ',' + cells(row.a);
    if (two) out += ',' + cells(row.b) + ',' + cells(row.difference) + ',' + std::string(name_of(row.verdict));
    out += further(row.cells, table.columns.size());
    if (two) out += further(row.cells_b, table.columns.size());
    out += "\r\n";
  }
  return out;
}

}   // namespace cardwright::statistics
