// Where to look first for a card that moves: analysis/origins.h says in which zone, and here it is worked out which one
// that is.
// Out: the guesses of `move_card` and `move_cards`; none where nothing is known.
#include "compiler/lower/lowering.h"

namespace cardwright::lower {

using model::ExprKind;

std::optional<analysis::Origin> Lowering::origin(const model::Expr& e) const {
  return origins_ && env_->body ? origins_->of(&e, *env_->body) : std::nullopt;
}

// The zone where that lies, to look there first; or none.
Register Lowering::guess(const model::Expr& e) {
  const auto found = origin(e);
  return found ? instance_of(*found) : b().constant(kNone);
}

// Whether it only says of what kind the zone is.
bool Lowering::guess_is_vague(const model::Expr& e) {
  const auto found = origin(e);
  return found && found->somewhere;
}

// … of what is turned, on the side where it lay till then.
Register Lowering::guess_before_turned(const model::Expr& e, bool faceup) {
  const auto found = origin(e);
  if (!found) return b().constant(kNone);
  const Register instance = instance_of(*found);
  return faceup && facedown_zone_[found->zone] >= 0 ? facedown_instance(found->zone, instance) : instance;
}

Register Lowering::guess(model::LocalId local) {
  const analysis::Origin* found = origins_ && env().body ? origins_->of(local, *env().body) : nullptr;
  return found ? instance_of(*found) : b().constant(kNone);
}

// Nobody's zone is as good a guess as any, and no reason to trap.
Register Lowering::instance_of(const analysis::Origin& at) {
  const ZoneSlot& slot = program_.zones[at.zone];
  const auto index = [&](const model::Expr* e, Int count) {
    if (!e || count == 1) return b().constant(0);
    const bool may_be_none =
        e->type.optional || e->kind == ExprKind::active_player || (e->kind == ExprKind::constant && e->value == kNone);
    return may_be_none ? b().integer(Op::max, {expr(*e), b().constant(0)}) : expr(*e);
  };
  if (slot.owners == 1 && slot.copies == 1) return b().constant(slot.first);
  const Register owner = index(at.owner, slot.owners);
  return b().integer(Op::zone_index, {Int(at.zone), owner, index(at.copy, slot.copies)}, 1);
}

}  // namespace cardwright::lower
