// Lowers the policies of the rules: which options they omit, and the weights of the rest in random decisions. A game
// without policies contains none of this code.
#pragma once

#include <string_view>
#include <vector>

#include "compiler/lower/offers.h"

namespace cardwright::lower {

// ---- the policy of each seat
void declare_policies(ProgramContext& unit);
// The player's policy, an index of Program::seat_policy; only valid if seats have policies.
Register policy_of(const FunctionContext& code, Register player);
// Returns 1 if the player omits options that are not sensible.
Register plays_sensibly(const FunctionContext& code, Register policy);

// ---- omitted options
bool is_avoided(const ProgramContext& unit, std::size_t action);
// Returns whether the arguments of the action affect whether it is avoided.
bool avoiding_reads_parameters(const ProgramContext& unit, std::size_t action);
// Sets the player's policy in groups that contain avoidable actions.
void tell_policies(const FunctionContext& code, std::vector<Group>& groups, Register player);
// Jumps to `no` if the policy avoids the action with these arguments, as far as they are known.
void leave_out_avoided(const FunctionContext& code, const Group& group, BlockIndex no);
// Returns 1 if the player's policy avoids passing now; none: no policy ever does.
Register avoids_passing(const FunctionContext& code, Register player);
// Returns whether passing is offered beside other options: `can_pass` (none: always), except for players whose policy
// avoids it. `sensible` is 0 if all other options would be omitted too; then none are.
Register passes_after_all(const FunctionContext& code, Register can_pass, Register avoids, Register sensible);

// ---- weights of the remaining options
bool is_weighed(const ProgramContext& unit, std::size_t action);
// Emitted after `decide`: if that drew the k-th of n options, the policy draws instead. The additional options of a
// window (passing, waiting) come last; `passes`: the additional option is passing.
void lean(const FunctionContext& code, Offers& offers, Register player, Register k, Register n, bool passes);

// ---- named choices
// The offered elements, and the number of other options.
struct NamedChoice {
  std::string_view name;
  Register player, candidates, others;
};
bool is_weighed_or_avoided(const ProgramContext& unit, std::string_view choice);
// Omits avoided elements, unless nothing else is offered. Returns whether `candidates` may be smaller now.
bool narrow_choice(const FunctionContext& code, const NamedChoice& choice);
// `n`: the number of elements; they precede all other options.
void lean_choice(const FunctionContext& code, const NamedChoice& choice, Register k, Register n);

}   // namespace cardwright::lower
