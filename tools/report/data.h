// Formats the JSON object that a page contains and that `--data` writes.
#pragma once

#include <vector>

#include <nlohmann/json.hpp>

#include "cardwright/report.hpp"
#include "tools/report/shown.h"

namespace cardwright::report {

// The games, how they were played, and the command that reproduces the report.
nlohmann::ordered_json head_json(const Report& report);
// {"head": …, "verdicts": […], "tables": […]}, with tables as in statistics::as_json but in the order of the page: rows
// as displayed, with "plot", and "bars" instead of histograms.
nlohmann::ordered_json page_json(const Report& report, const std::vector<ShownTable>& tables);

}   // namespace cardwright::report
