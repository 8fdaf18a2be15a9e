// How policies of the rules look at what is offered: what they leave out, and how the rest weighs when a decision is
// drawn. Of a game in which nobody asks for one, nothing of this is written.
#pragma once

#include <string_view>
#include <vector>

#include "compiler/lower/offers.h"

namespace cardwright::lower {

// ---- which seat plays how
void declare_policies(ProgramContext& unit);
// The player's, as Program::seat_policy says; only where seats have policies.
Register policy_of(const FunctionContext& code, Register player);
// 1 where the player leaves out what is not sensible.
Register plays_sensibly(const FunctionContext& code, Register policy);

// ---- what is left out
bool is_avoided(const ProgramContext& unit, std::size_t action);
// Whether it hangs on its arguments that the action is avoided.
bool avoiding_reads_parameters(const ProgramContext& unit, std::size_t action);
// The player's policy, for groups of which some may be avoided.
void tell_policies(const FunctionContext& code, std::vector<Group>& groups, Register player);
// Goes to `no` where the policy avoids the action, with these arguments as far as any are known.
void leave_out_avoided(const FunctionContext& code, const Group& group, BlockIndex no);
// 1 where the player's policy avoids passing now; none: no policy ever does.
Register avoids_passing(const FunctionContext& code, Register player);
// Whether passing is offered beside something else: `can_pass` (none: always), but for who avoids it. `sensible` is 0
// where all else would be left out, too, and so nothing is.
Register passes_after_all(const FunctionContext& code, Register can_pass, Register avoids, Register sensible);

// ---- how the rest weighs
bool is_weighed(const ProgramContext& unit, std::size_t action);
// Behind `decide`: where that drew the k-th of n options, the policy draws in its place. What a window offers besides
// (passing, waiting) comes last; `passes`: it is passing.
void lean(const FunctionContext& code, Offers& offers, Register player, Register k, Register n, bool passes);

// ---- choices that have a name
// The elements that are offered, and how many other options there are.
struct NamedChoice {
  std::string_view name;
  Register player, candidates, others;
};
bool is_weighed_or_avoided(const ProgramContext& unit, std::string_view choice);
// Leaves out what is avoided, unless nothing else is offered. True if `candidates` may be fewer now.
bool narrow_choice(const FunctionContext& code, const NamedChoice& choice);
// `n`: how many elements there are; they come before all else.
void lean_choice(const FunctionContext& code, const NamedChoice& choice, Register k, Register n);

}   // namespace cardwright::lower
