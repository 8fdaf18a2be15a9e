#include "compiler/lower/expressions/values.h"

#include <fmt/format.h>

#include "compiler/lower/code/blocks.h"
#include "compiler/lower/code/conditions.h"
#include "compiler/lower/code/constants.h"
#include "compiler/lower/code/locals.h"
#include "compiler/lower/code/notes.h"
#include "compiler/lower/code/types.h"
#include "compiler/lower/code/unwind.h"
#include "compiler/lower/context/function_context.h"
#include "compiler/lower/context/hooks.h"
#include "compiler/lower/rules/carriers.h"
#include "compiler/lower/rules/modifiers.h"
#include "compiler/lower/rules/patterns.h"
#include "compiler/lower/text/explanation_notes.h"

namespace cardwright::lower {

using model::CarrierKind;
using model::TypeKind;

// Returns the time at which the carrier of a rule came into force. 0 represents the beginning of the game.
static Register in_force_since(const FunctionContext& code, const model::RuleHead& head, Register me, Register self) {
  const OwnVariables& own = code.unit.variables;
  if (head.carrier.kind == CarrierKind::character)
    return code.integer(Op::load_raw, {own.character_stamps.at(head.carrier.character_variable.index), me});
  if (head.carrier.kind != CarrierKind::card || !head.carrier.zone.valid()) return code.constant(0);
  return code.integer(Op::load_raw, {own.stamps, self});
}

// Returns the facts that are certain for the names in a modifier of the value.
static Facts facts_in(const FunctionContext& code, const model::Value& value, const model::Modifier& m) {
  if (!asking(code)) return {};
  std::vector<Fact> given;
  for (const model::Parameter& p : value.parameters) given.push_back(code.env().facts.of(p.local));
  return code.unit.facts.secrecy.of_rule(m.head, m.patterns, given);
}

static Register apply_modifiers(const FunctionContext& code, const model::Value& value, Register result,
                                const std::vector<Register>& arguments) {
  const analysis::ValueRules rules = analysis::rules_of(value);
  const auto apply = [&](const std::vector<const model::Modifier*>& all, Op op) {
    for (const model::Modifier* m : all) apply_modifier(code, *m, op, result, arguments, facts_in(code, value, *m));
  };
  apply(rules.by, Op::add);
  // The result is copied to a separate register, so that its range can be inferred.
  if (!rules.at_least.empty() || !rules.at_most.empty()) {
    const Register sum = result;
    result = code.make(code.type(sum));
    code.assign(result, sum);
  }
  apply(rules.at_least, Op::max);
  apply(rules.at_most, Op::min);
  return result;
}

// Returns the result of the strongest `to` modifier that applies, or the base if none applies. The parameters must be
// bound.
Register value_settled(const FunctionContext& code, const model::Value& value, const std::vector<Register>& arguments) {
  note_reached(code, value.range);
  const bool list = is_array(value.result);
  const Register result =
      code.make(list || is_wide(code.unit, value.result) ? register_type(code.unit, value.result) : int_type(8));
  const BlockIndex settled = code.add_block();
  const bool checked_last = analysis::is_checked_last(value);
  const auto settling = [&](const model::Expr& e) { return checked_last ? view::unchecked(&e) : &e; };
  const auto be = [&](Register is) {
    if (list)
      code.effect(Op::list_copy, {result, is});
    else
      code.assign(result, is);
    code.jump(settled);
  };
  // With `latest modifier first`, the modifier that came into force last applies; if two have the same time, the
  // stronger one does. Otherwise, the strongest modifier applies.
  const std::vector<const model::Modifier*> to = analysis::rules_of(value).to;
  const bool timed = value.latest_first && !to.empty();
  const Register latest = timed ? code.make_int() : ir::kNoRegister;
  if (timed) code.assign_constant(latest, -1);
  for (const model::Modifier* m : to) {
    Env inner;
    bind_locals(inner, m->body);
    inner.facts = facts_in(code, value, *m);
    const FunctionContext rule = code.in(inner);
    const auto i = me_argument(m->head, m->patterns);
    carriers(rule, m->head, {.me = i ? arguments[*i] : ir::kNoRegister}, [&](Register me, Register self) {
      BlockIndex no = code.add_block();
      if (me != ir::kNoRegister) bind(rule, m->head.me, me);
      if (self != ir::kNoRegister) bind(rule, m->head.self, self);
      guard(rule, m->head, m->patterns, arguments, no);
      if (timed) {
        const Register since = in_force_since(code, m->head, me, self);
        const BlockIndex later = code.add_block();
        code.branch(code.integer(Op::lt, {latest, since}, 1), later, no);
        code.go_to(later);
        code.assign(latest, since);
        note_reached(rule, m->head.range);
        const Register amount = expr(rule, *settling(*m->amount));
        if (list)
          code.effect(Op::list_copy, {result, amount});
        else
          code.assign(result, amount);
        code.jump(no);
      } else {
        note_reached(rule, m->head.range);
        if (code.explains) note_modified(code, m->head);
        be(expr(rule, *settling(*m->amount)));
      }
      code.go_to(no);
    });
  }
  if (timed) {
    const BlockIndex base = code.add_block();
    code.branch(code.integer(Op::lt, {latest, code.constant(0)}, 1), base, settled);
    code.go_to(base);
  }
  if (value.base) {
    be(code.explains && value.result.kind == TypeKind::boolean ? condition_value(code, *value.base)
                                                               : expr(code, *settling(*value.base)));
  } else {
    code.env().inline_return = true;
    code.env().return_block = settled;
    code.env().result = result;
    block(code, value.body.block);
    if (!code.closed()) leave_function(code, ir::kNoRegister);
    code.env().inline_return = false;
  }
  code.go_to(settled);
  return result;
}

Register settled_and_modified(const FunctionContext& code, const model::Value& value,
                              const std::vector<Register>& arguments) {
  Register result = apply_modifiers(code, value, value_settled(code, value, arguments), arguments);
  if (value.at_least) result = code.integer(Op::max, {result, expr(code, *value.at_least)});
  if (value.at_most) result = code.integer(Op::min, {result, expr(code, *value.at_most)});
  if (!analysis::is_checked_last(value)) return result;
  const std::string text = fmt::format("the result of `{}` would be {{}}, but is declared as {}", value.name,
                                       model::to_string(code.model, value.result));
  return code.integer(Op::in_range, {result, value.result.lo, value.result.hi, text_index(code.unit, text)});
}

}   // namespace cardwright::lower
