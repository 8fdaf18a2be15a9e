// Prints recorded measures as a table and as JSON.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "cardwright/measures.hpp"

namespace cardwright::cli {

// Draws a row of numbers as one line, each from `from` (`▁`, or `.`) to `to` (`█`, or `@`). Without UTF-8 in the locale
// it uses ASCII characters.
std::string line_of(const std::vector<double>& heights, double from, double to);

nlohmann::ordered_json measure_json(const api::MeasureTable& table);
void print_table(const api::MeasureTable& table);

}   // namespace cardwright::cli
