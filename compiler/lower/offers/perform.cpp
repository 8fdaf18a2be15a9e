#include "compiler/lower/offers/perform.h"

#include "compiler/lower/code/blocks.h"
#include "compiler/lower/code/calls.h"
#include "compiler/lower/code/constants.h"
#include "compiler/lower/code/locals.h"
#include "compiler/lower/context/function_context.h"
#include "compiler/lower/context/hooks.h"
#include "compiler/lower/offers/choices.h"
#include "compiler/lower/offers/conditions.h"
#include "compiler/lower/offers/levels.h"
#include "compiler/lower/offers/limits.h"
#include "compiler/lower/rules/measures.h"

namespace cardwright::lower {

using model::ActionParameter;
using model::CarrierKind;
using model::PickCount;

// Determines the arguments of the chosen option of a group, and asks for the remaining elements of a set.
Chosen pick_arguments(const FunctionContext& asked, Group& g, Register k, bool flow) {
  const FunctionContext code = offering(asked, g);
  Chosen chosen;
  const Int base = code.program.actions[code.unit.ids.action[g.index]].base;
  if (!g.levels.empty()) select_level(code, g, 0, k);
  Register id = code.constant(base), truth = code.constant(base);
  bool unknown = false;
  for (const Level& l : g.levels) {
    const Int radix = radix_of(code.unit, g, l);
    id = code.integer(Op::add_small, {id, code.integer(Op::mul_small, {l.digit, code.constant(radix)})});
    if (l.unknown) unknown = true;
    truth = code.integer(Op::add_small,
                         {truth, code.integer(Op::mul_small, {l.unknown ? level_digit(code, g, l, l.chosen) : l.digit,
                                                              code.constant(radix)})});
  }
  chosen.id = id;
  chosen.truth = unknown ? truth : id;
  code.effect(Op::chosen, {chosen.id});
  chosen.arguments.push_back(g.me);
  for (const Level* l : as_written(g)) {
    const bool one = !l->parameter || l->parameter->count == PickCount::one;
    if (!one) chosen.set = more_of_set(code, g, g.levels[static_cast<std::size_t>(l - g.levels.data())], flow);
    chosen.arguments.push_back(one ? l->chosen : chosen.set);
  }
  return chosen;
}

// Handles an option that was offered based on the acting player's knowledge although the action is not allowed.
static void do_invalid(const FunctionContext& asked, Group& g, const Chosen& chosen) {
  const FunctionContext code = asked.in(g.env);
  note_landing(code, g.index, model::MomentKind::wrong, chosen.arguments);
  std::size_t at = 1;
  bind(code, g.action->head.me, g.me);
  if (g.action->head.carrier.kind == CarrierKind::card) bind(code, g.action->head.self, chosen.arguments[at++]);
  use_up_limits_by(code, g.index, chosen.arguments);
  for (const ActionParameter& p : g.action->parameters) {
    bind(code, p.local, chosen.arguments[at++]);
  }
  block(code, g.action->wrong);
}

void do_group(const FunctionContext& code, Group& g, Register k, bool flow) {
  const Range asked = code.where();
  const Chosen chosen = pick_arguments(code, g, k, flow);
  code.at(asked);
  if (!code.unit.facts.offers.may_be_wrong(g.index)) {
    call(code, code.unit.functions.action[g.index], chosen.arguments);
    return;
  }
  BlockIndex right = code.add_block(), wrong = code.add_block(), after = code.add_block();
  code.branch(holds(code, g.index, chosen.arguments), right, wrong);
  code.go_to(right);
  call(code, code.unit.functions.action[g.index], chosen.arguments);
  code.jump(after);
  code.go_to(wrong);
  do_invalid(code, g, chosen);
  code.jump(after);
  code.go_to(after);
}

}   // namespace cardwright::lower
