#include "compiler/lower/offers/policy_rules.h"

#include <algorithm>

#include "compiler/lower/code/locals.h"
#include "compiler/lower/rules/patterns.h"

namespace cardwright::lower {

using model::PolicyRule;

std::vector<RequestedPolicy> requested_policies(const ProgramContext& unit) {
  std::vector<RequestedPolicy> all;
  for (const model::Policy& policy : unit.model.policies)
    if (policy.asked) all.push_back({policy, kFirstPolicy + static_cast<Int>(all.size())});
  return all;
}

bool applies_to(const PolicyRule& rule, std::size_t action) {
  return std::any_of(rule.actions.begin(), rule.actions.end(), [&](model::ActionId id) { return id.index == action; });
}

bool depends_on_arguments(const PolicyRule& rule) {
  return std::any_of(rule.patterns.begin(), rule.patterns.end(),
                     [](const model::Pattern& p) { return p.kind != model::Pattern::Kind::any; });
}

std::vector<const PolicyRule*> rules_of(const model::Policy& policy, bool avoid, const About& about) {
  std::vector<const PolicyRule*> found;
  for (const PolicyRule& rule : policy.rules)
    if (rule.avoid == avoid && about(rule)) found.push_back(&rule);
  return found;
}

bool any_rule(const ProgramContext& unit, bool avoid, const About& about) {
  return std::ranges::any_of(unit.model.policies, [&](const model::Policy& policy) {
    return policy.asked && !rules_of(policy, avoid, about).empty();
  });
}

About about_action(std::size_t action) {
  return [action](const PolicyRule& rule) { return applies_to(rule, action); };
}

About about_passing() {
  return [](const PolicyRule& rule) { return rule.passes; };
}

About about_choice(std::string_view name) {
  return [name](const PolicyRule& rule) { return !name.empty() && rule.choice == name; };
}

void where_it_holds(const FunctionContext& outer, const PolicyRule& rule, Register me,
                    const std::vector<Register>& arguments, BlockIndex no,
                    const std::function<void(const FunctionContext&)>& then) {
  Env inner;
  bind_locals(inner, rule.body);
  const FunctionContext code = outer.in(inner).unasked().without_caches();
  bind(code, rule.head.me, me);
  guard(code, rule.head, rule.patterns, arguments, no);
  then(code);
}

void each_policy(const FunctionContext& code, Register policy, bool avoid, const About& about,
                 const std::function<void(const std::vector<const PolicyRule*>&)>& write) {
  for (const RequestedPolicy& one : requested_policies(code.unit)) {
    const std::vector<const PolicyRule*> rules = rules_of(one.policy, avoid, about);
    if (rules.empty()) continue;
    const BlockIndex mine = code.add_block(), next = code.add_block();
    code.branch(code.integer(Op::eq, {policy, code.constant(one.number)}, 1), mine, next);
    code.go_to(mine);
    write(rules);
    code.jump(next);
    code.go_to(next);
  }
}

std::vector<Register> arguments_of(const FunctionContext& code, const Group& g) {
  std::vector<Register> arguments;
  for (const Level* written : as_written(g))
    if (written->parameter) arguments.push_back(read_local(code, written->local));
  return arguments;
}

}   // namespace cardwright::lower
