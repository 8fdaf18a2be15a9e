// Selects the rules of policies that concern an action, passing or a named choice, and emits tests of whether they
// apply.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "compiler/lower/context/function_context.h"
#include "compiler/lower/offers/group.h"

namespace cardwright::lower {

// A policy that can be requested, and its number in Program::seat_policy.
struct RequestedPolicy {
  const model::Policy& policy;
  Int number;
};

// Returns whether a rule is about an action, passing or a choice.
using About = std::function<bool(const model::PolicyRule&)>;

std::vector<RequestedPolicy> requested_policies(const ProgramContext& unit);
bool applies_to(const model::PolicyRule& rule, std::size_t action);
bool depends_on_arguments(const model::PolicyRule& rule);
std::vector<const model::PolicyRule*> rules_of(const model::Policy& policy, bool avoid, const About& about);
bool any_rule(const ProgramContext& unit, bool avoid, const About& about);
About about_action(std::size_t action);
About about_passing();
About about_choice(std::string_view name);
// Jumps to `no` unless the rule applies to these arguments now. Otherwise, executes the code of `then`, in which the
// names of the rule are bound.
void where_it_holds(const FunctionContext& outer, const model::PolicyRule& rule, Register me,
                    const std::vector<Register>& arguments, BlockIndex no,
                    const std::function<void(const FunctionContext&)>& then);
// Calls `write` for each policy that has rules of this kind. The emitted code runs only if the player uses that policy;
// all paths continue after it.
void each_policy(const FunctionContext& code, Register policy, bool avoid, const About& about,
                 const std::function<void(const std::vector<const model::PolicyRule*>&)>& write);
// Returns the arguments of the group's current option, in source order.
std::vector<Register> arguments_of(const FunctionContext& code, const Group& g);

}   // namespace cardwright::lower
