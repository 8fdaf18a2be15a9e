// Reports that a game is too large to compile.
#pragma once

#include <string>

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

// Reports that the game is too large to compile, with the reason.
void too_large(ProgramContext& unit, Range where, std::string what);
// Returns the product of two counts, limited to `kUnlimited`.
Int product(Int a, Int b);

}   // namespace cardwright::lower
