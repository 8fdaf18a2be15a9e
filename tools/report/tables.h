// Formats tables of figures as HTML.
#pragma once

#include <string>

#include "tools/report/shown.h"

namespace cardwright::report {

// Returns the heading of a table: "Wins by seat".
std::string title_text(const statistics::FigureTable& table);
// Returns the heading, the plot placeholders for the script, and the rows. `index` is the table's index in the page's
// JSON.
std::string table_html(const Report& report, const ShownTable& table, std::size_t index);

}   // namespace cardwright::report
