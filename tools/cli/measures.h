// What was measured, as a table and as JSON.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "cardwright/measures.hpp"

namespace cardwright::cli {

// A row of numbers as one line, each from the least (`▁`, or `.`) to the greatest (`█`, `@`) that `from` and `to` say;
// without UTF-8 in the locale of ten signs of ASCII.
std::string line_of(const std::vector<double>& heights, double from, double to);

nlohmann::ordered_json measure_json(const api::MeasureTable& table);
void print_table(const api::MeasureTable& table);

}   // namespace cardwright::cli
