// Formats the JSON object that the page of a report contains.
#pragma once

#include <vector>

#include <nlohmann/json.hpp>

#include "cardwright/report.hpp"
#include "tools/report/shown.h"

namespace cardwright::report {

// Returns the games, the way they were played, and the command that reproduces the report.
nlohmann::ordered_json head_json(const Report& report);
// Returns {"head": …, "verdicts": […], "tables": […]}. Tables have the format of statistics::as_json, with these
// differences: tables and rows are in the order of the page, "plot" is added, and "bars" replace histograms.
nlohmann::ordered_json page_json(const Report& report, const std::vector<ShownTable>& tables);

}   // namespace cardwright::report
