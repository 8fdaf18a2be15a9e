// Formats the data from which the script of a page draws plots.
#include "tools/report/data.h"

#include "tools/report/bars.h"
#include "tools/report/numbers.h"
#include "tools/report/verdicts.h"

namespace cardwright::report {

namespace {

using Json = nlohmann::ordered_json;

Json bars_json(const statistics::Figure& row) {
  const Bars bars = bars_of(row);
  Json out = {{"from", bars.from}, {"step", bars.step}, {"games", bars.games_a}, {"a", bars.a}};
  if (!bars.b.empty()) {
    out["games_b"] = bars.games_b;
    out["b"] = bars.b;
  }
  return out;
}

Json table_json(const ShownTable& one, Json json) {
  json["plot"] = name_of(one.plot);
  if (one.fair) json["fair"] = *one.fair;
  for (std::size_t i = 0; i < one.table.rows.size(); ++i) {
    const statistics::Figure& row = one.table.rows[i];
    Json& out = json["rows"][i];
    out["a"].erase("histogram");
    if (out.contains("b")) out["b"].erase("histogram");
    if (unit_of(one.table, row) == Unit::time) out["unit"] = "ms";
    if (!row.histogram.empty()) out["bars"] = bars_json(row);
  }
  return json;
}

}   // namespace

nlohmann::ordered_json page_json(const Report& report, const std::vector<ShownTable>& tables) {
  statistics::Figures figures;
  for (const ShownTable& one : tables) figures.tables.push_back(one.table);
  const Json all = Json::parse(statistics::as_json(figures));
  Json out = {{"head", head_json(report)}, {"verdicts", verdicts_json(report)}, {"tables", Json::array()}};
  for (std::size_t i = 0; i < tables.size(); ++i) out["tables"].push_back(table_json(tables[i], all["tables"][i]));
  return out;
}

}   // namespace cardwright::report
