// Lowers the weights of policies, which determine how likely random players are to choose each option.
#pragma once

#include "compiler/lower/context/function_context.h"
#include "compiler/lower/offers/group.h"
#include "compiler/lower/offers/policies.h"

namespace cardwright::lower {

bool is_weighed(const ProgramContext& unit, std::size_t action);
// Emitted after `decide`. If `decide` drew the k-th of n options at random, the policy draws again, using its weights.
// The additional option of a window (passing or waiting) comes last; `passes` is true if it is passing.
void lean(const FunctionContext& code, Offers& offers, Register player, Register k, Register n, bool passes);
// If an element was drawn at random, the policy draws again, using its weights. `n` is the number of elements, which
// precede all other options.
void lean_choice(const FunctionContext& code, const NamedChoice& choice, Register k, Register n);

}   // namespace cardwright::lower
