// Prints the standard figures as tables and as JSON.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "cardwright/cardwright.hpp"
#include "cardwright/figures.hpp"

namespace cardwright::cli {

struct FigureChoice {   // the requested figures
  bool actions = false, cards = false, pace = false;
};

nlohmann::ordered_json share_json(const api::Share& share);
nlohmann::ordered_json figures_json(const api::StandardFigures& figures, const FigureChoice& choice);
nlohmann::ordered_json tension_json(const api::TensionFigures& tension);
void print_tension(const api::TensionFigures& tension);
void print_figures(const api::StandardFigures& figures, const FigureChoice& choice, bool uniform);

}   // namespace cardwright::cli
