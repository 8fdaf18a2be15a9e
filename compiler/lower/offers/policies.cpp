// Emits code for policies. Options that a policy avoids are omitted when options are counted, like options that are not
// sensible. Weights do not change the offered options: after `decide` draws an option at random (Op::draws), the policy
// draws a number below the sum of all weights and selects the corresponding option instead. A group whose options all
// have the same weight is not enumerated.
#include "compiler/lower/offers/policies.h"

#include <algorithm>

#include "compiler/lower/code/locals.h"
#include "compiler/lower/code/variables.h"
#include "compiler/lower/context/function_context.h"
#include "compiler/lower/offers/group.h"
#include "compiler/lower/offers/policy_rules.h"
#include "compiler/lower/sets/sets.h"

namespace cardwright::lower {

using model::PolicyRule;

// ---------------------------------------------------------------- the policy of each seat

void declare_policies(ProgramContext& unit) {
  if (!unit.model.seats_have_policies) return;
  for (const RequestedPolicy& one : requested_policies(unit)) {
    unit.program.policies.push_back({one.policy.name, one.policy.label});
    if (one.policy.for_bots) unit.program.policy_of_bots = one.number;
  }
  unit.program.seat_policy =
      add_scratch(unit, "policy", 0, kFirstPolicy + static_cast<Int>(unit.program.policies.size()) - 1, kUniformPolicy,
                  unit.model.players);
}

Register policy_of(const FunctionContext& code, Register player) {
  return code.integer(Op::load_raw, {code.program.seat_policy, player}, 1);
}

Register plays_sensibly(const FunctionContext& code, Register policy) {
  return code.integer(Op::ne, {policy, code.constant(kUniformPolicy)}, 1);
}

// ---------------------------------------------------------------- omitted options

void set_policies(const FunctionContext& code, std::vector<Group>& groups, Register player) {
  Register policy = ir::kNoRegister;
  for (Group& g : groups) {
    if (!is_avoided(code.unit, g.index)) continue;
    if (policy == ir::kNoRegister) policy = policy_of(code, player);
    g.policy = policy;
  }
}

bool is_avoided(const ProgramContext& unit, std::size_t action) { return any_rule(unit, true, about_action(action)); }

bool avoiding_reads_parameters(const ProgramContext& unit, std::size_t action) {
  return any_rule(unit, true,
                  [&](const PolicyRule& rule) { return applies_to(rule, action) && depends_on_arguments(rule); });
}

void leave_out_avoided(const FunctionContext& code, const Group& g, BlockIndex no) {
  if (g.policy == ir::kNoRegister || !is_avoided(code.unit, g.index)) return;
  const std::vector<Register> arguments =
      avoiding_reads_parameters(code.unit, g.index) ? arguments_of(code, g) : std::vector<Register>{};
  each_policy(code, g.policy, true, about_action(g.index), [&](const std::vector<const PolicyRule*>& rules) {
    for (const PolicyRule* rule : rules) {
      const BlockIndex other = code.add_block();
      where_it_holds(code, *rule, g.me, arguments, other, [&](const FunctionContext& inner) { inner.jump(no); });
      code.go_to(other);
    }
  });
}

Register avoids_passing(const FunctionContext& code, Register player) {
  if (!any_rule(code.unit, true, about_passing())) return ir::kNoRegister;
  const Register policy = policy_of(code, player);
  const Register avoids = code.make(site_local(int_type(1)));
  code.assign_constant(avoids, 0);
  each_policy(code, policy, true, about_passing(), [&](const std::vector<const PolicyRule*>& rules) {
    for (const PolicyRule* rule : rules) {
      const BlockIndex other = code.add_block();
      where_it_holds(code, *rule, player, {}, other,
                     [&](const FunctionContext& inner) { inner.assign_constant(avoids, 1); });
      code.jump(other);
      code.go_to(other);
    }
  });
  return avoids;
}

Register passes_after_all(const FunctionContext& code, Register can_pass, Register avoids, Register sensible) {
  const Register left_out = sensible == ir::kNoRegister ? avoids : code.integer(Op::and_, {avoids, sensible}, 1);
  const Register offered = code.make(site_local(int_type(1)));
  code.put(Op::not_, offered, {left_out});
  if (can_pass != ir::kNoRegister) code.put(Op::and_, offered, {offered, can_pass});
  return offered;
}

// ---------------------------------------------------------------- named choices

bool is_weighed_or_avoided(const ProgramContext& unit, std::string_view choice) {
  return any_rule(unit, true, about_choice(choice)) || any_rule(unit, false, about_choice(choice));
}

bool narrow_choice(const FunctionContext& code, const NamedChoice& choice) {
  const About about = about_choice(choice.name);
  if (!any_rule(code.unit, true, about)) return false;
  const Register policy = policy_of(code, choice.player);
  each_policy(code, policy, true, about, [&](const std::vector<const PolicyRule*>& rules) {
    const Register remaining = code.make(code.type(choice.candidates));
    make_empty(code, remaining);
    for_each(code, choice.candidates, [&](Register element) {
      const BlockIndex next = code.add_block();
      for (const PolicyRule* rule : rules) {
        const BlockIndex other = code.add_block();
        where_it_holds(code, *rule, choice.player, {element}, other,
                       [&](const FunctionContext& inner) { inner.jump(next); });
        code.go_to(other);
      }
      put_in(code, remaining, element);
      code.jump(next);
      code.go_to(next);
    });
    const BlockIndex fewer = code.add_block(), after = code.add_block();
    code.branch(code.integer(Op::add_small, {count_of(code, remaining), choice.others}), fewer, after);
    code.go_to(fewer);
    code.assign(choice.candidates, remaining);
    code.jump(after);
    code.go_to(after);
  });
  return true;
}

}   // namespace cardwright::lower
