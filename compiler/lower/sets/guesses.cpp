// Computes the zone instance in which `move_card` and `move_cards` search first, or none if it is unknown.
// analysis/origins.h determines the zone.
#include "compiler/lower/sets/guesses.h"

#include "compiler/lower/context/function_context.h"
#include "compiler/lower/context/hooks.h"
#include "compiler/lower/sets/knowledge.h"
#include "compiler/lower/sets/zones.h"

namespace cardwright::lower {

using model::ExprKind;

static Register instance_of(const FunctionContext& code, const analysis::Origin& at);

static std::optional<analysis::Origin> origin(const FunctionContext& code, const model::Expr& e) {
  return code.unit.facts.origins && code.environment->body ? code.unit.facts.origins->of(&e, *code.environment->body)
                                                           : std::nullopt;
}

// Returns the zone instance to search first, or none.
Register guess(const FunctionContext& code, const model::Expr& e) {
  const auto found = origin(code, e);
  return found ? instance_of(code, *found) : code.constant(kNone);
}

// Returns whether only the zone is known, but not its instance.
bool guess_is_vague(const FunctionContext& code, const model::Expr& e) {
  const auto found = origin(code, e);
  return found && found->somewhere;
}

// Like guess(), but for cards that are turned over: returns the instance that corresponds to their previous side.
Register guess_before_turned(const FunctionContext& code, const model::Expr& e, bool faceup) {
  const auto found = origin(code, e);
  if (!found) return code.constant(kNone);
  const Register instance = instance_of(code, *found);
  return faceup && code.unit.ids.facedown_zone[found->zone] >= 0 ? facedown_instance(code, found->zone, instance)
                                                                 : instance;
}

Register guess(const FunctionContext& code, model::LocalId local) {
  const analysis::Origin* found =
      code.unit.facts.origins && code.env().body ? code.unit.facts.origins->of(local, *code.env().body) : nullptr;
  return found ? instance_of(code, *found) : code.constant(kNone);
}

// Returns the zone instance of the guess. If the owner is none, returns any instance, because a wrong guess must not
// trap.
static Register instance_of(const FunctionContext& code, const analysis::Origin& at) {
  const ZoneSlot& slot = code.program.zones[at.zone];
  const auto index = [&](const model::Expr* e, Int count) {
    if (!e || count == 1) return code.constant(0);
    const bool may_be_none =
        e->type.optional || e->kind == ExprKind::active_player || (e->kind == ExprKind::constant && e->value == kNone);
    return may_be_none ? code.integer(Op::max, {expr(code, *e), code.constant(0)}) : expr(code, *e);
  };
  if (slot.owners == 1 && slot.copies == 1) return code.constant(slot.first);
  const Register owner = index(at.owner, slot.owners);
  return code.integer(Op::zone_index, {Int(at.zone), owner, index(at.copy, slot.copies)}, 1);
}

Register zone_of(const FunctionContext& code, const model::Expr& e) {
  const Register card = expr(code, e);
  if (asking(code) && !fact(code, e).placed) need(code, knows_all(code, code.set(Op::set_of, {card})));
  return code.integer(Op::zone_of, {card, guess(code, e)});
}

}   // namespace cardwright::lower
