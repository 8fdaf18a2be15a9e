// Tables of figures on the terminal.
#pragma once

#include <span>
#include <string>

#include "cardwright/statistics.hpp"

namespace cardwright::cli {

// Each table with its rows: of one game what they are, of two also what differs.
void print_figures(const statistics::Figures& figures);
// Nothing to show: an ending that is never reached, a character that nobody plays, turns where there are none.
bool is_idle(const statistics::Figure& row);

// A histogram in one line, ▁▂▃▄▅▆▇█ (or .:-=+*#@ where the locale has no UTF-8), at most `width` signs: from the least
// value to the greatest that one game in a thousand reaches.
struct Sparkline {
  std::string signs;
  std::int64_t low = 0, high = 0;
};
Sparkline sparkline(std::span<const statistics::Bin> bins, std::size_t width);

}   // namespace cardwright::cli
