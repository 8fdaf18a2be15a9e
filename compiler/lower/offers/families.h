// Lowers windows with many kinds of cards. The plays of a family share one loop over the kinds in the player's hand,
// and each play has functions of its own that count, list and perform its options, so neither the time of a decision
// nor the size of a function grows with the number of kinds.
#pragma once

#include "compiler/lower/context/function_context.h"
#include "compiler/lower/offers/group.h"

namespace cardwright::lower {

// Combines the plays of a window into families, if there are enough of them, and replaces their runs.
void form_families(const FunctionContext& code, Offers& offers);

// Each of these functions emits code for a run that is a family; offers.cpp contains their counterparts for other runs.
void count_family(const FunctionContext& code, Offers& offers, GroupRun& run);
void list_family(const FunctionContext& code, const Offers& offers, const GroupRun& run);
void note_family(const FunctionContext& code, const Offers& offers, const GroupRun& run);
// Performs the k-th option of the family.
void perform_in_family(const FunctionContext& code, const Offers& offers, const GroupRun& run, Register k, bool flow);

}   // namespace cardwright::lower
