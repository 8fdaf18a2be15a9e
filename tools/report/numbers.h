// Formats numbers for readers: significant digits, thousands separators and a true minus sign.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cardwright/statistics.hpp"

namespace cardwright::report {

// The unit of a row.
enum class Unit { share, count, time };
Unit unit_of(const statistics::FigureTable& table, const statistics::Figure& row);

// Returns the number of decimal places that the width of the interval justifies; `interval` can be nullopt.
int digits_for(Unit unit, const std::optional<statistics::Interval>& interval, double value);

std::string grouped(std::uint64_t number);   // 1,234,567
// Formats a value: "24.3 %", "1,234.5", "12.3 s".
std::string value_text(double value, Unit unit, int digits);
// Formats a difference: "+2.1 points", "−12.3", "+0.4 s".
std::string difference_text(double value, Unit unit, int digits);
// Formats an interval: "24.1 to 24.5 %", "−0.3 to +1.2 points"; "too few games" without an interval.
std::string interval_text(const std::optional<statistics::Interval>& interval, Unit unit, int digits, bool signs);
// Formats a value like value_text, but without "%" and "points", for tables with the unit in the heading.
std::string bare_value(double value, Unit unit, int digits);
std::string bare_difference(double value, Unit unit, int digits);
std::string bare_interval(const std::optional<statistics::Interval>& interval, Unit unit, int digits, bool signs);
// Formats a number of an additional column.
std::string cell_text(double value);
std::string percent_text(double share);   // "12 %", "2.0 %", "0.040 %"

std::string escaped(std::string_view text);   // escapes a text for HTML
std::string escaped_json(std::string json);   // escapes JSON so that it cannot end its script element

}   // namespace cardwright::report
