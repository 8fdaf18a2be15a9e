// Prints tables of figures on the terminal.
#pragma once

#include <span>
#include <string>

#include "cardwright/statistics.hpp"

namespace cardwright::cli {

// Prints each table with its rows: the values of one game, or the values and differences of two.
void print_figures(const statistics::Figures& figures);
// Returns true for rows without data: an ending that is never reached, a character that is never played, or missing
// turns.
bool is_idle(const statistics::Figure& row);

// A histogram in one line of at most `width` characters, ▁▂▃▄▅▆▇█ (or .:-=+*#@ if the locale has no UTF-8). Its range
// leaves out the largest values, reached by less than one game in a thousand.
struct Sparkline {
  std::string signs;
  std::int64_t low = 0, high = 0;
};
Sparkline sparkline(std::span<const statistics::Bin> bins, std::size_t width);

}   // namespace cardwright::cli
