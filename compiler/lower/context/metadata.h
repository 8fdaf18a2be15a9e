// Adds the texts and names shown to players to the Program.
#pragma once

#include <string>

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

// Adds the names of cards, variables, zones and similar items.
void describe(ProgramContext& unit);
// Lowers the values displayed next to boards, players and the table.
void lower_shown(ProgramContext& unit);
// Reports that the game is too large to compile, with the reason.
void too_large(ProgramContext& unit, Range where, std::string what);
// Returns the product of two counts, at most `kUnlimited`.
Int product(Int a, Int b);
// Returns the source text of the rules in this range.
std::string reason_text(const ProgramContext& unit, Range range);

}   // namespace cardwright::lower
