// Emits the conditions that an action and each of its arguments must satisfy to be offered: its carrier, limits,
// `when`, `forbid` rules, and `sensible`. The code jumps to `no` if the action must not be offered.
#include "compiler/lower/offers/conditions.h"

#include <algorithm>
#include <ranges>

#include "compiler/lower/code/calls.h"
#include "compiler/lower/code/locals.h"
#include "compiler/lower/code/notes.h"
#include "compiler/lower/context/function_context.h"
#include "compiler/lower/context/hooks.h"
#include "compiler/lower/offers/group.h"
#include "compiler/lower/offers/limits.h"
#include "compiler/lower/offers/policies.h"
#include "compiler/lower/rules/carriers.h"
#include "compiler/lower/rules/patterns.h"
#include "compiler/lower/text/explanation_notes.h"

namespace cardwright::lower {

using model::ActionParameter;
using model::CarrierKind;

static bool is_forbidden_unknown(const ProgramContext& unit, const model::Action& action);

bool forbid_reads_parameters(const ProgramContext& unit, std::size_t action) {
  for (const model::Forbid& f : unit.model.forbids) {
    bool speaks =
        std::any_of(f.actions.begin(), f.actions.end(), [&](model::ActionId id) { return id.index == action; });
    if (speaks && !f.patterns.empty()) return true;
  }
  return false;
}

// Jumps to `no` if a `forbid` rule applies to the action. The strongest kind of rule that applies determines the
// result. Within a kind, `forbid` overrides `allow`.
void forbids(const FunctionContext& code, std::size_t action, Register me, const std::vector<Register>& arguments,
             const std::vector<Fact>& given, BlockIndex no) {
  if (!forbidden_somewhere(code.unit, action)) return;
  std::vector<BlockIndex> allowed_ends;
  for (auto kind : {model::RuleKind::card, model::RuleKind::option, model::RuleKind::rule}) {
    BlockIndex allowed = code.add_block();
    for (bool allow : {false, true})
      for (const model::Forbid& f : code.model.forbids) {
        if (f.allow != allow || f.head.precedence.kind != kind) continue;
        bool speaks =
            std::any_of(f.actions.begin(), f.actions.end(), [&](model::ActionId id) { return id.index == action; });
        if (!speaks) continue;
        Env inner;
        bind_locals(inner, f.body);
        if (asking(code)) {
          model::RuleHead head = f.head;
          head.when = nullptr;
          // An option is offered if it may be allowed, or if the player does not know whether it is forbidden.
          if (code.unit.facts.secrecy.reads_rule(head, f.patterns, given)) {
            if (allow) code.jump(allowed);
            continue;
          }
          inner.facts = code.unit.facts.secrecy.of_rule(f.head, f.patterns, given);
          if (!analysis::is_of_players(code.model, f.head)) inner.facts.put(f.head.me, {.asked = true});
        }
        const FunctionContext of_rule = code.in(inner);
        const Register only = f.head.carrier.kind == CarrierKind::none ? me : ir::kNoRegister;
        carriers(of_rule, f.head, {.me = only}, [&](Register m, Register self) {
          BlockIndex next = code.add_block();
          if (f.head.me.valid()) bind(of_rule, f.head.me, analysis::is_of_players(code.model, f.head) ? m : me);
          if (self != ir::kNoRegister) bind(of_rule, f.head.self, self);
          guard(of_rule.asked(allow ? Asking::Mode::may : Asking::Mode::must), f.head, f.patterns, arguments, next);
          note_reached(of_rule, f.head.range);
          if (!allow) note_modified(code, f.head);
          code.jump(allow ? allowed : no);
          code.go_to(next);
        });
      }
    // An `allow` of a stronger kind skips all weaker rules and jumps to the end.
    allowed_ends.push_back(allowed);
  }
  BlockIndex end = code.add_block();
  code.jump(end);
  for (const BlockIndex allowed : std::views::reverse(allowed_ends)) {
    code.go_to(allowed);
    code.jump(end);
  }
  code.go_to(end);
}

// Jumps to `no` unless the action's carrier, limits and `when` allow it to be offered.
void action_conditions(const FunctionContext& code, std::size_t index, Register me, BlockIndex no) {
  const model::Action& action = code.model.actions[index];
  bind(code, action.head.me, me);
  if (action.head.carrier.kind == CarrierKind::character) {
    BlockIndex yes = code.add_block(), look = code.add_block();
    // A player whose character is unknown could be the carrier.
    if (asking(code) && !code.unit.facts.secrecy.is_known_whose(action.head, code.env().facts))
      code.branch(code.integer(Op::knows_value,
                               {me, code.unit.ids.variable[action.head.carrier.character_variable.index], me}, 1),
                  look, yes);
    else
      code.jump(look);
    code.go_to(look);
    code.branch(carrier_in_force(code, action.head, me), yes, no);
    code.go_to(yes);
  }
  for (std::size_t l = 0; l < action.limits.size(); ++l) {
    const LimitUse& use = code.unit.limits.of_action.at({index, l});
    if (use.cards || use.per_target) continue;   // level_domain() tests limits per card or target
    BlockIndex unused = code.add_block();
    code.branch(limit_used(code, use, me), no, unused);
    code.go_to(unused);
  }
  bool when_reads_self = action.head.when && action.head.self.valid() && mentions(*action.head.when, action.head.self);
  bool when_reads_parameters = when_reads_self;
  if (action.head.when)
    for (const ActionParameter& p : action.parameters)
      when_reads_parameters = when_reads_parameters || mentions(*action.head.when, p.local);
  if (action.head.when && !when_reads_parameters) {
    BlockIndex holds = code.add_block();
    branch_on(code, *action.head.when, holds, no);
    code.go_to(holds);
  }
  if (!forbid_reads_parameters(code.unit, index)) forbids(code, index, me, {}, {}, no);
}

// Jumps to `no` for options that are not sensible, if the group omits such options. An option is offered if it may be
// sensible, based on the player's knowledge.
void sensible_only(const FunctionContext& code, const Group& g, BlockIndex no) {
  BlockIndex looked_at = code.add_block(), yes = code.add_block();
  code.branch(g.sensible, looked_at, yes);
  code.go_to(looked_at);
  leave_out_avoided(code, g, no);
  if (!g.action->sensible)
    code.jump(yes);
  else
    branch_on(code.asked(reads(code, *g.action->sensible) ? Asking{g.me, Asking::Mode::may} : Asking{}),
              *g.action->sensible, yes, no);
  code.go_to(yes);
}

bool sensible_reads_parameters(const ProgramContext& unit, const Group& g) {
  if (g.sensible == ir::kNoRegister) return false;
  return avoiding_reads_parameters(unit, g.index) ||
         (g.action->sensible && std::any_of(g.levels.begin(), g.levels.end(),
                                            [&](const Level& l) { return mentions(*g.action->sensible, l.local); }));
}

void pass_all(const FunctionContext& code, const std::vector<const model::Expr*>& conditions, BlockIndex no) {
  for (const model::Expr* condition : conditions) {
    BlockIndex yes = code.add_block();
    branch_on(code, *condition, yes, no);
    code.go_to(yes);
  }
}

// Emits the conditions of an element: the `where` of its parameter. For the last level, also emits limits per card or
// target, `when` conditions, and `forbid` rules that read parameters.
void element_conditions(const FunctionContext& code, Group& g, std::size_t level, Register element, BlockIndex no) {
  Level& l = g.levels[level];
  bind(code, l.local, element);
  pass_all(code, l.where, no);
  extra_conditions(code, g, level, element, no);
}

static std::size_t parameter_level(const Group& g, std::size_t parameter) {
  const auto of_it = [&](const Level& l) { return l.parameter == &g.action->parameters[parameter]; };
  return static_cast<std::size_t>(std::find_if(g.levels.begin(), g.levels.end(), of_it) - g.levels.begin());
}

bool has_extra(const ProgramContext& unit, const Group& g, std::size_t level) {
  const model::Action& action = *g.action;
  for (std::size_t i = 0; i < action.limits.size(); ++i) {
    const LimitUse& use = unit.limits.of_action.at({g.index, i});
    if (use.cards && level == 0) return true;
    if (use.per_target && parameter_level(g, *action.limits[i].per_target) == level) return true;
  }
  if (level + 1 != g.levels.size()) return false;
  if (forbid_reads_parameters(unit, g.index) || sensible_reads_parameters(unit, g)) return true;
  if (!action.head.when) return false;
  return std::any_of(g.levels.begin(), g.levels.end(),
                     [&](const Level& l) { return mentions(*action.head.when, l.local); });
}

void extra_conditions(const FunctionContext& code, Group& g, std::size_t level, Register element, BlockIndex no) {
  const model::Action& action = *g.action;
  for (std::size_t i = 0; i < action.limits.size(); ++i) {
    const LimitUse& use = code.unit.limits.of_action.at({g.index, i});
    BlockIndex unused = code.add_block();
    if (use.cards && level == 0) {
      Register used = code.set(Op::load_set, {use.variable, code.constant(0)});
      code.branch(code.integer(Op::set_has, {used, element}, 1), no, unused);
    } else if (use.per_target && parameter_level(g, *action.limits[i].per_target) == level) {
      code.branch(code.integer(Op::load_raw, {use.variable, limit_index(code, g.me, element)}, 1), no, unused);
    } else {
      code.jump(unused);
    }
    code.go_to(unused);
  }
  if (level + 1 != g.levels.size()) return;
  if (action.head.when && std::any_of(g.levels.begin(), g.levels.end(),
                                      [&](const Level& l) { return mentions(*action.head.when, l.local); })) {
    BlockIndex yes = code.add_block();
    branch_on(code, *action.head.when, yes, no);
    code.go_to(yes);
  }
  if (forbid_reads_parameters(code.unit, g.index)) {
    std::vector<Register> arguments;
    std::vector<Fact> given;
    for (const Level* written : as_written(g))
      if (written->parameter) {
        arguments.push_back(read_local(code, written->local));
        given.push_back(code.env().facts.of(written->local));
      }
    forbids(code, g.index, g.me, arguments, given, no);
  }
  if (sensible_reads_parameters(code.unit, g)) sensible_only(code, g, no);
}

bool has_no_conditions(const ProgramContext& unit, const Group& g) {
  const model::Action& action = *g.action;
  if (g.levels.size() != 1 || action.head.carrier.kind != CarrierKind::card || action.head.when ||
      forbidden_somewhere(unit, g.index))
    return false;
  for (std::size_t i = 0; i < action.limits.size(); ++i)
    if (const LimitUse& use = unit.limits.of_action.at({g.index, i}); !use.cards && !use.per_target) return false;
  return true;
}

// Returns whether hidden information affects whether the action is offered or which options it has.
bool depends_on_unknown(const ProgramContext& unit, const model::Action& action) {
  if (action.play && unit.model.zones[action.from.index].visibility != model::Visibility::open) return true;
  if (is_unknown(unit, action.head.when) || is_forbidden_unknown(unit, action)) return true;
  if (action.head.carrier.kind == CarrierKind::character &&
      unit.model.variables[action.head.carrier.character_variable.index].visibility != model::Visibility::open)
    return true;
  return std::any_of(action.parameters.begin(), action.parameters.end(),
                     [&](const ActionParameter& p) { return is_unknown(unit, p.domain) || is_unknown(unit, p.where); });
}

// Returns whether a rule that forbids or allows the action depends on hidden information.
static bool is_forbidden_unknown(const ProgramContext& unit, const model::Action& action) {
  return std::any_of(unit.model.forbids.begin(), unit.model.forbids.end(), [&](const model::Forbid& f) {
    const model::Carrier& by = f.head.carrier;
    const auto is_it = [&](model::ActionId id) { return &unit.model.actions[id.index] == &action; };
    if (std::none_of(f.actions.begin(), f.actions.end(), is_it)) return false;
    if (is_unknown(unit, f.head.when) ||
        std::any_of(f.patterns.begin(), f.patterns.end(),
                    [&](const model::Pattern& p) { return is_unknown(unit, p.value); }))
      return true;
    if (by.kind == CarrierKind::character)
      return unit.model.variables[by.character_variable.index].visibility != model::Visibility::open;
    return by.kind == CarrierKind::card && by.zone.valid() &&
           unit.model.zones[by.zone.index].visibility != model::Visibility::open;
  });
}

bool is_unknown(const ProgramContext& unit, const model::Expr* e) {
  return e && analysis::reads_secrets(unit.model, *e);
}

bool forbidden_somewhere(const ProgramContext& unit, std::size_t action) {
  return std::any_of(unit.model.forbids.begin(), unit.model.forbids.end(), [&](const model::Forbid& f) {
    return std::any_of(f.actions.begin(), f.actions.end(), [&](model::ActionId id) { return id.index == action; });
  });
}

Register holds(const FunctionContext& code, std::size_t action, const std::vector<Register>& arguments) {
  return call(code, code.unit.functions.holds[action], arguments);
}

}   // namespace cardwright::lower
