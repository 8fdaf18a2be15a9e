#include "compiler/lower/sets/knowledge.h"

#include <algorithm>

#include "compiler/lower/code/locals.h"
#include "compiler/lower/code/types.h"
#include "compiler/lower/context/function_context.h"
#include "compiler/lower/context/hooks.h"
#include "compiler/lower/sets/zones.h"

namespace cardwright::lower {

using model::TypeKind;

static void unknown_here(const FunctionContext& code) {
  code.jump(code.asking.unknown);
  code.go_to(code.add_block());
}

Register unknown_value(const FunctionContext& code, const model::Expr& e) {
  unknown_here(code);
  return default_value(code, e.type);
}

void need(const FunctionContext& code, Register known) {
  BlockIndex on = code.add_block();
  code.branch(known, on, code.asking.unknown);
  code.go_to(on);
}

Register knows_all(const FunctionContext& code, Register cards) {
  return code.integer(Op::knows_cards, {code.asking.player, cards}, 1);
}

// Requires that the player has seen the cards. All players know the value `none`.
void need_seen(const FunctionContext& code, Register cards, Fact fact) {
  if (fact.named) return;
  if (fact.unknown || code.type(cards).kind == ir::RegisterKind::array) return unknown_here(code);
  need(code, knows_all(code, code.type(cards).kind == ir::RegisterKind::set ? cards : code.set(Op::set_of, {cards})));
}

void need_distinguishable(const FunctionContext& code, const model::Expr& a, Register x, const model::Expr& c,
                          Register y) {
  if (!asking(code) || !holds_cards(a.type) || !holds_cards(c.type)) return;
  const Fact of_a = fact(code, a), of_c = fact(code, c);
  if (are_distinguishable(of_a, of_c)) return;
  if (!of_a.named) need_seen(code, x, of_a);
  if (!of_c.named) need_seen(code, y, of_c);
}

void need_value(const FunctionContext& code, const model::Expr& e) {
  if (!asking(code) || code.unit.facts.secrecy.is_own(e, code.env().facts)) return;
  const model::Variable& variable = code.model.variables[e.ref];
  const auto knows = [&](Register at) {
    return code.integer(Op::knows_value, {code.asking.player, code.unit.ids.variable[e.ref], at}, 1);
  };
  if (e.args.size() == variable.indices.size() + (variable.per_player ? 1 : 0)) {
    return need(code, knows(known_at(code, e.ref, e.args, 0)));
  }
  // An entire table is known only if all its entries are known. Large tables are treated as unknown.
  constexpr Int kMostEntries = 64;
  Int entries = variable.per_player && e.args.empty() ? code.model.players : 1;
  for (const model::Type& dimension : variable.indices)
    entries *= bounds(code.unit, dimension).hi - bounds(code.unit, dimension).lo + 1;
  if (entries > kMostEntries) return need(code, code.constant(0));
  const Int run = std::max<Int>(1, code.program.variable_infos[code.unit.ids.variable[e.ref]].run());
  const Register first = e.args.empty()
                             ? code.constant(0)
                             : code.integer(Op::mul_small, {expr(code, *e.args.front()), code.constant(entries * run)});
  for (Int i = 0; i < entries; ++i) need(code, knows(code.integer(Op::add_small, {first, code.constant(i * run)})));
}

// Requires that the deciding player knows whether `me` has the character or card that carries a rule. Without `me`,
// requires this for all players.
void need_whose(const FunctionContext& code, const model::RuleHead& head, Register me) {
  if (!asking(code) || code.unit.facts.secrecy.is_known_whose(head, code.env().facts)) return;
  const auto of = [&](Register player) {
    if (head.carrier.kind == model::CarrierKind::character)
      need(code, code.integer(
                     Op::knows_value,
                     {code.asking.player, code.unit.ids.variable[head.carrier.character_variable.index], player}, 1));
    else
      need(code, knows_all(code, zone_cards_of(code, head.carrier.zone, player)));
  };
  if (me != ir::kNoRegister) return of(me);
  for (Int p = 0; p < code.model.players; ++p) of(code.constant(p));
}

Register card_seen(const FunctionContext& code, const model::Expr& e) {
  const Register card = expr(code, e);
  if (asking(code) && e.type.kind == TypeKind::card) need_seen(code, card, fact(code, e));
  return card;
}

Register looked_through(const FunctionContext& code, const model::Expr& domain, model::LocalId local,
                        std::initializer_list<const model::Expr*> uses) {
  const Register those = expr(code, domain);
  if (!asking(code)) return those;
  const Fact sure = fact(code, domain);
  code.env().facts.put(local, sure);
  const auto depends_on_them = [&](const model::Expr* use) { return reads(code, use); };
  if (!holds_cards(domain.type) || sure.named || std::none_of(uses.begin(), uses.end(), depends_on_them)) return those;
  need_seen(code, those, sure);
  code.env().facts.put(local, kSeen);
  return those;
}

// Requires that the cards are known before a loop over them. Cards are enumerated by kind, so the order would reveal
// information about unknown cards.
void look_in_order(const FunctionContext& code, const model::Expr& domain, Register cards, model::LocalId local) {
  if (!asking(code) || domain.type.kind != TypeKind::set || !holds_cards(domain.type)) return;
  const Fact sure = fact(code, domain);
  code.env().facts.put(local, sure);
  if (sure.named) return;
  need_seen(code, cards, sure);
  code.env().facts.put(local, kSeen);
}

Register as_known(const FunctionContext& code, const model::Expr& e, const std::function<Register()>& otherwise) {
  if (!asking(code) || !reads(code, e)) return expr(code, e);
  const Register result = code.make(register_type(code.unit, e.type));
  BlockIndex unknown = code.add_block(), after = code.add_block();
  code.assign(result, expr(code.asked({code.asking.player, Asking::Mode::sure, unknown}), e));
  code.jump(after);
  code.go_to(unknown);
  code.assign(result, otherwise());
  code.jump(after);
  code.go_to(after);
  return result;
}

std::optional<Register> known_where_taken(const FunctionContext& code, model::LocalId element, const model::Expr& who) {
  const model::Expr* zone = plan::known_zone(code.unit, code.environment, code.taken, element, who);
  return zone ? std::optional(known_in(code, *zone, who)) : std::nullopt;
}

Register known_in(const FunctionContext& code, const model::Expr& zone, const model::Expr& who) {
  const view::zone its(zone);
  const Register instance = zone_instance(code, zone.ref, its.owner(), its.copy());
  const Register down = code.set(Op::zone_cards, {facedown_instance(code, zone.ref, instance)});
  return code.set(Op::set_or, {code.set(Op::zone_cards, {instance}), code.set(Op::set_known, {expr(code, who), down})});
}

}   // namespace cardwright::lower
