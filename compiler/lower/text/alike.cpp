// Selects which of several identical cards are offered as separate options.
#include "compiler/lower/text/alike.h"

#include <algorithm>

#include "compiler/analysis/causes.h"
#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

// Adds the zones from which the domain takes cards. Returns false if the cards may be in any zone.
static bool add_zones(const ProgramContext& unit, const model::Expr* domain, std::optional<model::LocalId> who,
                      PickedFrom& out) {
  using model::ExprKind;
  if (!domain) return false;
  if (domain->kind == ExprKind::filter) return add_zones(unit, model::view::filter(*domain).domain(), who, out);
  if (domain->kind == ExprKind::set_and || domain->kind == ExprKind::set_minus)
    return add_zones(unit, model::view::pair(*domain).left(), who, out);
  if (domain->kind == ExprKind::set_union)
    return add_zones(unit, model::view::pair(*domain).left(), who, out) &&
           add_zones(unit, model::view::pair(*domain).right(), who, out);
  if (domain->kind == ExprKind::or_else)
    return add_zones(unit, model::view::or_else(*domain).first(), who, out) &&
           add_zones(unit, model::view::or_else(*domain).otherwise(), who, out);
  if (domain->kind != ExprKind::zone && domain->kind != ExprKind::zone_top_n) return false;
  out.zones.push_back(domain->ref);
  if (const Int down = unit.ids.facedown_zone[domain->ref]; down >= 0) out.zones.push_back(down);
  const model::Expr* const owner = domain->args.empty() ? nullptr : model::view::zone_place(*domain).owner();
  out.own = out.own && who && owner && owner->kind == model::ExprKind::local && owner->local == *who;
  return true;
}

PickedFrom picked_from(const ProgramContext& unit, const std::vector<const model::Expr*>& domains,
                       std::optional<model::LocalId> who) {
  PickedFrom out{{}, true};
  for (const model::Expr* domain : domains)
    if (!add_zones(unit, domain, who, out)) return {};
  return out;
}

std::vector<Int> zones_offered(const ProgramContext& unit, const std::vector<const model::Expr*>& domains) {
  if (std::ranges::count(unit.facts.orders.distinguishable, true) == 0) return {kNone};
  std::vector<Int> zones = picked_from(unit, domains, std::nullopt).zones;
  if (!zones.empty()) return zones;
  zones.push_back(kNone);   // values and functions may also take cards from other zones
  analysis::Causes causes(unit.model, {}, [&](const model::Expr& e) {
    if (e.kind == model::ExprKind::zone || e.kind == model::ExprKind::zone_top_n) zones.push_back(e.ref);
  });
  for (const model::Expr* domain : domains) causes.expr(domain);
  return zones;
}

std::vector<Int> zones_offered(const ProgramContext& unit, const model::Expr* domain) {
  return zones_offered(unit, std::vector<const model::Expr*>{domain});
}

// Returns the zone in which the carrier is in force, or kNone if its rules apply in every zone, because the position of
// a card does not matter then.
std::vector<Int> zones_of_carrier(const model::Carrier& carrier) {
  return {carrier.zone.valid() ? static_cast<Int>(carrier.zone.index) : kNone};
}

static bool is_distinguishable(const ProgramContext& unit, Int zone) {
  const std::vector<bool>& distinguishable = unit.facts.orders.distinguishable;
  return zone >= 0 && static_cast<std::size_t>(zone) < distinguishable.size() &&
         distinguishable[static_cast<std::size_t>(zone)];
}

bool place_matters(const ProgramContext& unit, const std::vector<Int>& zones) {
  return std::ranges::any_of(zones, [&](Int zone) { return is_distinguishable(unit, zone); });
}

// Returns all cards in zones in which positions matter.
static Register cards_in_places(const FunctionContext& code) {
  Register all = code.set(Op::set_empty, {});
  for (std::size_t z = 0; z < code.unit.facts.orders.distinguishable.size(); ++z) {
    if (!code.unit.facts.orders.distinguishable[z]) continue;
    const ZoneSlot& slot = code.program.zones[z];
    for (Int i = 0; i < slot.owners * slot.copies; ++i)
      all = code.set(Op::set_or, {all, code.set(Op::zone_cards, {code.constant(slot.first + i)})});
  }
  return all;
}

Register one_of_each(const FunctionContext& code, Register cards, const std::vector<Int>& zones) {
  if (!place_matters(code.unit, zones)) return code.set(Op::set_lookalikes, {cards});
  if (std::ranges::all_of(zones, [&](Int zone) { return is_distinguishable(code.unit, zone); })) return cards;
  const Register placed = cards_in_places(code);
  return code.set(Op::set_or, {code.set(Op::set_and, {cards, placed}),
                               code.set(Op::set_lookalikes, {code.set(Op::set_without, {cards, placed})})});
}

}   // namespace cardwright::lower
