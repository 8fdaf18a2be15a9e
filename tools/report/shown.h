// Prepares the tables of a report for display: sorts rows and separates rows without data.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cardwright/report.hpp"

namespace cardwright::report {

// The type of a table's plot.
enum class Plot : std::uint8_t {
  dots,   // a dot for each row, with its interval
  bars,   // a histogram for each row
  course,   // a line along the game
};
std::string_view name_of(Plot plot);

struct ShownTable {
  statistics::FigureTable table;
  Plot plot = Plot::dots;
  std::vector<std::string> idle;   // names of rows that are 0 in all games or have no data
  // For a table of winners: the win rate of an average player, which is the same for all tables of a report.
  std::optional<double> fair;
  bool is_two() const { return !table.rows.empty() && table.rows[0].b.has_value(); }
};

// Returns all tables, sorted by topic and otherwise in their original order.
std::vector<ShownTable> shown(const Report& report);

}   // namespace cardwright::report
