// What went wrong, for the author of the rules: which variable would be what, and what it may be.
#pragma once

#include <string>

#include "runtime/program/program.h"
#include "runtime/ops/game.h"

namespace cardwright {

// "`chips` of b would be 23, but is declared 0..20 (game.rules:4)"; empty where trap_text() says all there is.
std::string trap_details(const Program& program, const Game& g);

}   // namespace cardwright
