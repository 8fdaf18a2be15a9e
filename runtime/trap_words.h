// Describes what went wrong at a trap for the author of the rules: the variable, its new value and its declared range.
#pragma once

#include <string>

#include "runtime/program/program.h"
#include "runtime/ops/game.h"

namespace cardwright {

// Returns, for example, "`chips` of b would be 23, but is declared 0..20 (game.rules:4)"; empty if trap_text() has all
// the information.
std::string trap_details(const Program& program, const Game& g);

}   // namespace cardwright
