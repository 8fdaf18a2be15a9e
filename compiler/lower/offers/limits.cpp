#include "compiler/lower/offers/limits.h"

#include <algorithm>

#include "compiler/lower/code/scratch.h"
#include "compiler/lower/code/variables.h"
#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

using model::CarrierKind;
using model::TypeKind;

static std::optional<Int> same_limit(const ProgramContext& unit, std::size_t a, std::size_t l);
static void remember_limit(ProgramContext& unit, model::Scope scope, const model::Action& action, const LimitUse& use);
static Int most_targets(const ProgramContext& unit);

void make_limit(ProgramContext& unit, std::size_t a, std::size_t l) {
  const model::Action& action = unit.model.actions[a];
  const model::Limit& limit = action.limits[l];
  bool rules = limit.scope != model::Scope::window;
  LimitUse use{};
  use.per_target = limit.per_target.has_value();
  use.cards = !use.per_target && !limit.group && action.head.carrier.kind == CarrierKind::card;
  if (limit.group) {
    auto key = std::pair{limit.group->index, int(limit.scope)};
    auto it = unit.limits.of_group.find(key);
    if (it == unit.limits.of_group.end())
      it = unit.limits.of_group
               .emplace(key, add_scratch(unit, "used " + unit.model.groups[limit.group->index], 0, 0xffff, 0, 1, rules))
               .first;
    else {
      use.variable = it->second;
      unit.limits.of_action[{a, l}] = use;
      return remember_limit(unit, limit.scope, action, use);
    }
    use.variable = it->second;
  } else if (const auto same = same_limit(unit, a, l)) {
    use.variable = *same;
  } else if (use.cards) {
    use.variable = add_scratch_sets(unit, "used " + action.name, simple(TypeKind::card), 1, rules);
  } else {
    use.variable = add_scratch(unit, "used " + action.name, 0, use.per_target ? 1 : 0xffff, 0,
                               use.per_target ? unit.model.players * most_targets(unit) : 1, rules);
  }
  unit.limits.of_action[{a, l}] = use;
  remember_limit(unit, limit.scope, action, use);
}

// Returns the variable of the same action for another zone, if there is one. For example, an action in `while in hand,
// shown` has a single limit for both zones.
static std::optional<Int> same_limit(const ProgramContext& unit, std::size_t a, std::size_t l) {
  const model::Action& action = unit.model.actions[a];
  if (!action.head.carrier.zone.valid()) return std::nullopt;
  for (std::size_t before = 0; before < a; ++before) {
    const model::Action& other = unit.model.actions[before];
    const bool same = other.name == action.name && other.head.range == action.head.range &&
                      other.head.carrier.kind == action.head.carrier.kind;
    if (const auto made = unit.limits.of_action.find({before, l}); same && made != unit.limits.of_action.end())
      return made->second.variable;
  }
  return std::nullopt;
}

static void remember_limit(ProgramContext& unit, model::Scope scope, const model::Action& action, const LimitUse& use) {
  if (scope != model::Scope::window) {
    auto& cleared = unit.limits.of_scope[scope];
    if (std::find(cleared.begin(), cleared.end(), use.variable) == cleared.end()) cleared.push_back(use.variable);
    return;
  }
  for (std::size_t w = 0; w < unit.model.windows.size(); ++w)
    if (model::is_in(action, model::WindowId{std::uint32_t(w)}))
      unit.limits.of_window[std::uint32_t(w)].insert(use.variable);
}

Register limit_used(const FunctionContext& code, const LimitUse& use, Register me) {
  return code.integer(Op::mask_has, {code.integer(Op::load_raw, {use.variable, code.constant(0)}), me}, 1);
}

// Returns the maximum number of targets of a limit: the maximum of 64, the size of the largest enum, and, if a limit
// counts per card, the number of cards.
static Int most_targets(const ProgramContext& unit) {
  Int most = 64;
  for (const model::Enum& e : unit.model.enums) most = std::max(most, Int(e.constants.size()));
  for (const model::Action& a : unit.model.actions)
    for (const model::Limit& l : a.limits)
      if (l.per_target && a.parameters[*l.per_target].type.kind == TypeKind::card)
        most = std::max(most, unit.program.layout.card_ids);
  return most;
}

Register limit_index(const FunctionContext& code, Register me, Register target) {
  return code.integer(Op::add_small, {code.integer(Op::mul_small, {me, code.constant(most_targets(code.unit))}),
                                      code.integer(Op::mod_small, {target, code.constant(most_targets(code.unit))})});
}

void reset_window_limits(const FunctionContext& code, std::uint32_t window, bool nested) {
  auto it = code.unit.limits.of_window.find(window);
  if (it == code.unit.limits.of_window.end()) return;
  for (Int variable : it->second) {
    bool set = code.program.variables[variable].is_set;
    if (nested && (set || code.program.variables[variable].count == 1))
      save_and_set(code, variable, set ? code.set(Op::set_empty, {}) : code.constant(0));
    else if (set)
      code.effect(Op::store_set, {variable, code.constant(0), code.set(Op::set_empty, {})});
    else
      code.effect(Op::clear, {variable});
  }
}

void use_up_limits(const FunctionContext& code, std::size_t index, Register me, Register self,
                   std::span<const Register> arguments) {
  const model::Action& action = code.model.actions[index];
  for (std::size_t l = 0; l < action.limits.size(); ++l) {
    const LimitUse& use = code.unit.limits.of_action.at({index, l});
    if (use.cards) {
      Register used = code.set(Op::load_set, {use.variable, code.constant(0)});
      code.effect(Op::store_set, {use.variable, code.constant(0), code.set(Op::set_add, {used, self})});
    } else if (use.per_target) {
      code.effect(Op::store,
                  {use.variable, limit_index(code, me, arguments[*action.limits[l].per_target]), code.constant(1)});
    } else {
      Register used = code.integer(Op::load_raw, {use.variable, code.constant(0)});
      code.effect(Op::store,
                  {use.variable, code.constant(0), code.integer(Op::mask_or, {used, code.integer(Op::mask_of, {me})})});
    }
  }
}

// `arguments` contains the player, the card that carries the action, and the chosen arguments.
void use_up_limits_by(const FunctionContext& code, std::size_t index, std::span<const Register> arguments) {
  const model::Action& action = code.model.actions[index];
  const bool carried = action.head.carrier.kind == CarrierKind::card,
             of_card = carried || (action.play && arguments.size() > 1);
  use_up_limits(code, index, arguments[0], of_card ? arguments[1] : ir::kNoRegister,
                arguments.subspan(carried ? 2 : 1));
}

}   // namespace cardwright::lower
