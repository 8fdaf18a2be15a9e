// The JSON object that a page holds, and that of `--data`.
#pragma once

#include <vector>

#include <nlohmann/json.hpp>

#include "cardwright/report.hpp"
#include "tools/report/shown.h"

namespace cardwright::report {

// Which games, how they were played, and what makes it again.
nlohmann::ordered_json head_json(const Report& report);
// {"head": …, "verdicts": […], "tables": […]}, as statistics::as_json writes tables, in the order of the page: rows as
// they are shown, with "plot", and "bars" instead of histograms.
nlohmann::ordered_json page_json(const Report& report, const std::vector<ShownTable>& tables);

}   // namespace cardwright::report
