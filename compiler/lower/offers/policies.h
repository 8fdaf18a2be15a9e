// Lowers the policies of the rules. A policy omits options, and assigns weights to the remaining options in random
// decisions. A game without policies contains none of this code.
#pragma once

#include <string_view>
#include <vector>

#include "compiler/lower/context/function_context.h"
#include "compiler/lower/offers/group.h"

namespace cardwright::lower {

// ---- the policy of each seat

void declare_policies(ProgramContext& unit);
// Returns the player's policy, as a number in Program::seat_policy. Call only if seats have policies.
Register policy_of(const FunctionContext& code, Register player);
// Returns 1 if the player omits options that are not sensible.
Register plays_sensibly(const FunctionContext& code, Register policy);

// ---- omitted options

bool is_avoided(const ProgramContext& unit, std::size_t action);
// Returns whether the action's arguments affect whether the policy avoids it.
bool avoiding_reads_parameters(const ProgramContext& unit, std::size_t action);
// Stores the player's policy in each group whose action a policy avoids.
void set_policies(const FunctionContext& code, std::vector<Group>& groups, Register player);
// Jumps to `no` if the policy avoids the action with the arguments that are bound so far.
void leave_out_avoided(const FunctionContext& code, const Group& group, BlockIndex no);
// Returns 1 if the player's policy avoids passing now, or kNoRegister if no policy ever avoids passing.
Register avoids_passing(const FunctionContext& code, Register player);
// Returns whether passing is offered in addition to other options. It is offered if `can_pass` is 1 (kNoRegister means
// always) and the player's policy does not avoid passing. `sensible` is 0 if all other options would also be omitted;
// in that case, no option is omitted.
Register passes_after_all(const FunctionContext& code, Register can_pass, Register avoids, Register sensible);

// ---- named choices

// The elements that a named choice offers (`candidates`), and the number of other options.
struct NamedChoice {
  std::string_view name;
  Register player, candidates, others;
};

bool is_weighed_or_avoided(const ProgramContext& unit, std::string_view choice);
// Omits the elements that the policy avoids, unless no other elements are offered. Returns whether `candidates` may
// have become smaller.
bool narrow_choice(const FunctionContext& code, const NamedChoice& choice);

}   // namespace cardwright::lower
