// Words for people.
#pragma once

#include <string>

#include "compiler/lower/function_context.h"

namespace cardwright::lower {

// What cards, variables, zones and the like are called.
void describe(ProgramContext& unit);
// What boards, players and the table show beside.
void lower_shown(ProgramContext& unit);
// Reports that the game can't be compiled, and why.
void too_large(ProgramContext& unit, Range where, std::string what);
// The product of two counts, at most `kUnlimited`.
Int product(Int a, Int b);
// The text of the rules there.
std::string reason_text(const ProgramContext& unit, Range range);

}   // namespace cardwright::lower
