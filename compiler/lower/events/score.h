// Lowers the score of a player: the value by which the winner is found.
#pragma once

#include "compiler/lower/context/program_context.h"

namespace cardwright::lower {

// Sets Program::score: `value payoff`, or the first key of an ending such as `winners players with most X`.
void lower_score(ProgramContext& unit);

}   // namespace cardwright::lower
