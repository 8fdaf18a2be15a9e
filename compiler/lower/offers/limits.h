// Emits code that enforces the limits of actions. The code records which players have performed an action, and for
// which targets or cards.
#pragma once

#include <span>

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

// Adds the variable that records the use of an action. It has a bit for each player, or a bit for each player and
// target; for actions of cards, it is a set of cards.
void make_limit(ProgramContext& unit, std::size_t a, std::size_t l);
Register limit_used(const FunctionContext& code, const LimitUse& use, Register me);
Register limit_index(const FunctionContext& code, Register me, Register target);
// Resets the limits that count per window. When a nested window of the same kind closes, it restores the outer window's
// limits.
void reset_window_limits(const FunctionContext& code, std::uint32_t window, bool nested);
// Records that the action was performed or attempted.
void use_up_limits(const FunctionContext& code, std::size_t action, Register me, Register self,
                   std::span<const Register> arguments);
void use_up_limits_by(const FunctionContext& code, std::size_t action, std::span<const Register> arguments);

}   // namespace cardwright::lower
