// Prints recorded measures as a table and as JSON.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "cardwright/measures.hpp"

namespace cardwright::cli {

// Draws numbers as one line with one character per number, from `▁` for the value `from` to `█` for the value `to`. If
// the locale has no UTF-8, the characters are from `.` to `@`.
std::string line_of(const std::vector<double>& heights, double from, double to);

nlohmann::ordered_json measure_json(const api::MeasureTable& table);
void print_table(const api::MeasureTable& table);

}   // namespace cardwright::cli
