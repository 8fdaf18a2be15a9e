// Combines consecutive groups whose options are single cards into runs, which are counted as one set of cards.
#pragma once

#include <vector>

#include "compiler/lower/context/function_context.h"
#include "compiler/lower/offers/group.h"

namespace cardwright::lower {

// Returns the ids of the cards that can satisfy the conditions on the group's first level, in ascending order. Tests
// only the kind of a played card, so most of them may fail the other conditions.
std::vector<Int> cards_to_test(const ProgramContext& unit, const Group& group);
// Appends the runs of the groups from `first` to `end`.
void add_runs(const FunctionContext& code, Offers& offers, std::size_t first, std::size_t end);

}   // namespace cardwright::lower
