// Converts measures and standard figures to tables of figures.
#pragma once

#include "cardwright/statistics.hpp"

namespace cardwright::statistics {

void add_measures(const std::vector<api::MeasureTable>& measures, Figures& figures);
void add_standard_figures(const api::StandardFigures& standard, Figures& figures);

}   // namespace cardwright::statistics
