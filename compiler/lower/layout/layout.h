// Assigns card ids, variables, zones and the offsets of regions in the State.
#pragma once

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

void number_cards(ProgramContext& unit);
void number_variables(ProgramContext& unit);
void number_zones(ProgramContext& unit);
void place_regions(ProgramContext& unit);

}   // namespace cardwright::lower
