#include "compiler/lower/code/flags.h"

#include <algorithm>

#include "compiler/lower/code/constants.h"
#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

using model::ExprKind;

static void touch(const FunctionContext& code, Int variable, Register bits);

// Returns the flags to set when the cards of an expression leave their zones.
Watchers watchers_leaving(const FunctionContext& code, const model::Expr& what) {
  if (const auto known = watchers_leaving_known(code, what)) return *known;
  Watchers all;
  if (code.unit.plain) all.dirty = kAllConditions;
  for (const Watchers& of_zone : code.unit.watching.left) all |= of_zone;
  return all;
}

// Like watchers_leaving(), but returns nullopt if the cards may be in any zone.
std::optional<Watchers> watchers_leaving_known(const FunctionContext& code, const model::Expr& what) {
  switch (what.kind) {
    case ExprKind::local: {
      const auto found = code.environment->found.find(what.local.index);
      return code.unit.plain || found == code.environment->found.end() ? std::nullopt
                                                                       : watchers_leaving_known(code, *found->second);
    }
    case ExprKind::zone:
    case ExprKind::card_of_slot: return code.unit.watching.left[what.ref];
    case ExprKind::zone_top:
    case ExprKind::zone_top_n:
    case ExprKind::zone_bottom: return watchers_move(code.unit, what.ref, what.ref);
    case ExprKind::filter:
    case ExprKind::pick_first:
    case ExprKind::pick_last:
    case ExprKind::pick_only:
    case ExprKind::pick_random:
    case ExprKind::random_n: return watchers_leaving_known(code, *view::taken_from(what).of());
    default: return std::nullopt;
  }
}

// Returns the flags to set when one card leaves an unknown zone. Only flags of memoized values depend on the zone
// instance. All other flags are always set, because an unnecessary evaluation of a condition costs less than finding
// the zone. Returns nullopt if no flag depends on the instance.
std::optional<Leaving> watchers_by_instance(ProgramContext& unit) {
  Leaving leaving{{0, ~Int{0}}, -1};
  for (const Watchers& of_zone : unit.watching.left) {
    leaving.anywhere.dirty |= of_zone.dirty;
    leaving.anywhere.stale &= of_zone.stale;
  }
  std::vector<std::size_t> zones(unit.program.zones.size());   // index of the Model's zone, by Program zone
  for (std::size_t z = 0; z < unit.model.zones.size(); ++z) {
    zones[z] = z;
    if (unit.ids.facedown_zone[z] >= 0) zones[static_cast<std::size_t>(unit.ids.facedown_zone[z])] = z;
  }
  std::vector<Int> more;
  for (Int i = 0; i < unit.program.layout.instances; ++i)
    more.push_back(unit.watching.left[zones[static_cast<std::size_t>(unit.program.layout.instance[i].zone)]].stale &
                   ~leaving.anywhere.stale);
  if (std::all_of(more.begin(), more.end(), [](Int bits) { return bits == 0; })) return std::nullopt;
  leaving.stale = table_index(unit, std::move(more));
  return leaving;
}

// Returns the flags to set when cards move from one zone to another. Includes the flags for a refill of the source
// pile.
Watchers watchers_move(const ProgramContext& unit, std::uint32_t from, std::uint32_t to) {
  if (unit.plain) return {kAllConditions, 0};
  Watchers who = unit.watching.left[from] | unit.watching.entered[to];
  if (unit.model.zones[from].refill_from)
    who |= unit.watching.entered[from] | unit.watching.left[unit.model.zones[from].refill_from->index];
  return who;
}

Watchers watchers_variable(const ProgramContext& unit, std::uint32_t variable) {
  if (unit.plain) return {kAllConditions, 0};
  auto it = unit.watching.variables.find(variable);
  return it == unit.watching.variables.end() ? Watchers{} : it->second;
}

void touch(const FunctionContext& code, Watchers who) {
  if (who.dirty != 0) touch(code, code.unit.variables.dirty, code.constant(who.dirty));
  if (who.stale != 0) touch(code, code.program.stale, code.constant(who.stale));
}

static void touch(const FunctionContext& code, Int variable, Register bits) {
  const Register zero = code.constant(0);
  const Register now = code.integer(Op::load_raw, {variable, zero});
  code.effect(Op::store, {variable, zero, code.integer(Op::mask_or, {now, bits})});
}

// Sets the flags after a card has left the instance `from`, which is none if there was no card.
void touch(const FunctionContext& code, const Leaving& leaving, Register from) {
  const Register place =
      code.integer(Op::select, {code.integer(Op::eq, {from, code.constant(kNone)}, 1), code.constant(0), from}, 1);
  touch(code, code.program.stale, code.integer(Op::table, {leaving.stale, place}));
}

}   // namespace cardwright::lower
