// Tables of figures as HTML.
#pragma once

#include <string>

#include "tools/report/shown.h"

namespace cardwright::report {

// The heading of a table: "Wins by seat".
std::string title_text(const statistics::FigureTable& table);
// Its heading, the places where the script draws, and its rows; `index` is its place in the page's JSON.
std::string table_html(const Report& report, const ShownTable& table, std::size_t index);

}   // namespace cardwright::report
