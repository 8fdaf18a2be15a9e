// The tables of a report as they are shown: rows in an order that helps, and what never happened apart.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cardwright/report.hpp"

namespace cardwright::report {

// How a table is drawn.
enum class Plot : std::uint8_t {
  dots,   // a dot for each row, with its interval
  bars,   // a histogram for each row
  course,   // a line along the game
};
std::string_view name_of(Plot plot);

struct ShownTable {
  statistics::FigureTable table;
  Plot plot = Plot::dots;
  std::vector<std::string> idle;   // rows that were 0 in all games, or of which none says anything
  // What each row of a table of winners would be if it made no difference: how often players win on average.
  std::optional<double> fair;
  bool is_two() const { return !table.rows.empty() && table.rows[0].b.has_value(); }
};

// In the order of their topics, and in each as they came.
std::vector<ShownTable> shown(const Report& report);

}   // namespace cardwright::report
