// Describes the values that caused a trap, for the author of the rules: for example the variable, its new value and its
// declared range.
#pragma once

#include <string>

#include "runtime/program/program.h"
#include "runtime/ops/game.h"

namespace cardwright {

// Returns a text such as "`chips` of b would be 23, but is declared as 0..20 (game.rules:4)"; it is empty if
// trap_text() already contains all information.
std::string trap_details(const Program& program, const Game& g);

}   // namespace cardwright
