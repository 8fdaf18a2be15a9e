// Determines which unknown cards are offered: cards that the deciding player does not know, but that may satisfy the
// conditions of the choice.
#include "compiler/lower/expressions/unknown_cards.h"

#include <algorithm>

#include "compiler/lower/code/constants.h"
#include "compiler/lower/code/locals.h"
#include "compiler/lower/code/types.h"
#include "compiler/lower/context/function_context.h"
#include "compiler/lower/context/hooks.h"
#include "compiler/lower/expressions/event_calls.h"
#include "compiler/lower/plans/narrowing.h"
#include "compiler/lower/sets/knowledge.h"
#include "compiler/lower/sets/sets.h"
#include "compiler/lower/sets/zones.h"

namespace cardwright::lower {

using model::ActionParameter;
using model::ExprKind;
using model::TypeKind;

Offered distinguishable_cards(const FunctionContext& code, Register all) {
  const Register known = code.set(Op::set_known, {code.asking.player, all});
  return {known, code.set(Op::set_without, {all, known})};
}

// Splits the cards of an expression into known and unknown cards. In a zone that the player can see, only face-down
// cards can be unknown.
Offered distinguishable_cards(const FunctionContext& code, const model::Expr& e) {
  if (e.kind != model::ExprKind::zone || code.unit.ids.facedown_zone[e.ref] < 0 ||
      !code.unit.facts.secrecy.sees_into(e, code.env().facts))
    return distinguishable_cards(code, expr(code, e));
  const Register instance = zone_instance(code, e.ref, view::zone(e).owner(), view::zone(e).copy());
  const Register up = code.set(Op::zone_cards, {instance}),
                 down = code.set(Op::zone_cards, {facedown_instance(code, e.ref, instance)});
  const Register known = code.set(Op::set_known, {code.asking.player, down});
  return {code.set(Op::set_or, {up, known}), code.set(Op::set_without, {down, known})};
}

static Offered offered_either(const FunctionContext& code, const Offered& a, const Offered& c) {
  Offered both{code.set(Op::set_or, {a.fitting, c.fitting})};
  if (a.unknown == ir::kNoRegister || c.unknown == ir::kNoRegister)
    both.unknown = a.unknown == ir::kNoRegister ? c.unknown : a.unknown;
  else
    both.unknown = code.set(Op::set_or, {a.unknown, c.unknown});
  return both;
}

// Returns a superset of the cards that the set may contain, based on the player's knowledge.
static Register cards_that_could_be(const FunctionContext& code, const model::Expr& e) {
  switch (e.kind) {
    case model::ExprKind::filter:
    case model::ExprKind::best: return cards_that_could_be(code, *view::ranging(e).domain());
    case model::ExprKind::set_minus: return cards_that_could_be(code, *view::set_minus(e).left());
    case model::ExprKind::set_union:
      return code.set(Op::set_or, {cards_that_could_be(code, *view::set_union(e).left()),
                                   cards_that_could_be(code, *view::set_union(e).right())});
    case model::ExprKind::conditional:
      return code.set(Op::set_or, {cards_that_could_be(code, *view::conditional(e).then()),
                                   cards_that_could_be(code, *view::conditional(e).otherwise())});
    default: break;
  }
  if (!reads(code, e)) return expr(code, e);
  if (!fact(code, e).placed) return const_cards(code, code.unit.ids.of_card);
  const Register all = code.make_set();
  code.put(Op::set_empty, all, {});
  const analysis::Reads read = analysis::reads_of(code.model, e);
  for (std::uint32_t z = 0; z < code.model.zones.size(); ++z) {
    if (!read.zones && !read.anything && !read.entered.count(z)) continue;
    const ZoneSlot& slot = code.program.zones[z];
    for (Int i = 0; i < slot.owners * slot.copies; ++i)
      code.put(Op::set_or, all, {all, zone_set(code, z, code.constant(slot.first + i))});
  }
  return all;
}

// Returns the cards that may be in a set, based on the deciding player's knowledge.
static Offered offered_domain(const FunctionContext& code, const model::Expr& e) {
  using model::ExprKind;
  if (!asking(code)) return {expr(code, e)};
  if (!reads(code, e)) {
    if (fact(code, e).named) return {expr(code, e)};
    return distinguishable_cards(code, e);
  }
  switch (e.kind) {
    case ExprKind::filter: {
      if (e.type.kind == TypeKind::list) break;
      const Taken taken(code, e.local, view::filter(e).domain());
      return offered_of(taken,
                        offered_domain_where(taken, *view::filter(e).domain(), e.local, {view::filter(e).condition()}),
                        true, e.local, view::filter(e).condition());
    }
    case ExprKind::set_union: {
      const Offered first = offered_domain(code, *view::set_union(e).left());
      return offered_either(code, first, offered_domain(code, *view::set_union(e).right()));
    }
    case ExprKind::conditional: {
      Offered all{empty_set(code, *e.type.elem), empty_set(code, *e.type.elem)};
      const auto take = [&](const model::Expr& part) {
        const Offered some = offered_domain(code, part);
        code.put(Op::set_or, all.fitting, {all.fitting, some.fitting});
        if (some.unknown != ir::kNoRegister) code.put(Op::set_or, all.unknown, {all.unknown, some.unknown});
      };
      BlockIndex yes = code.add_block(), other = code.add_block(), no = code.add_block(), after = code.add_block();
      branch_on(code, *view::conditional(e).condition(), yes, other);
      code.go_to(yes);
      take(*view::conditional(e).then());
      code.jump(other);
      code.go_to(other);
      branch_on(code.asked(Asking::Mode::must), *view::conditional(e).condition(), after, no);
      code.go_to(no);
      take(*view::conditional(e).otherwise());
      code.jump(after);
      code.go_to(after);
      return all;
    }
    default: break;
  }
  return distinguishable_cards(code, as_known(code, e, [&] { return cards_that_could_be(code, e); }));
}

// Returns the cards of a domain that satisfy or may satisfy the conditions. If the domain contains named cards whose
// zone the player does not know, these may be any of the unknown cards.
Offered offered_domain_where(const FunctionContext& code, const model::Expr& e, model::LocalId element,
                             std::initializer_list<const model::Expr*> conditions) {
  if (!asking(code)) return {expr(code, e)};
  const Fact sure = fact(code, e);
  const bool unknown = code.unit.facts.offers.may_be_unknown(e, element, conditions, code.env().facts);
  code.env().facts.put(element, unknown ? kSeen : sure);
  if (!unknown || sure.placed) return offered_domain(code, e);
  const Register named = as_known(code, e, [&] { return cards_that_could_be(code, e); });
  return {code.set(Op::set_known, {code.asking.player, named}),
          distinguishable_cards(code, const_cards(code, code.unit.ids.of_card)).unknown};
}

Offered elements_offered(const FunctionContext& code, const ActionParameter& p, model::LocalId element) {
  if (!p.domain) return {universe(code, p.type)};
  if (p.type.kind != TypeKind::card) return {as_known(code, *p.domain, [&] { return universe(code, p.type); })};
  return offered_domain_where(code, *p.domain, element, {p.where});
}

Register zones_of_unknown(const FunctionContext& code, Register cards) {
  std::vector<Int> bits(static_cast<std::size_t>(code.program.layout.instances), kNone);
  for (std::size_t i = 0; i < bits.size(); ++i)
    if (code.program.layout.instance[i].hidden_bit >= 0) bits[i] = code.program.layout.instance[i].hidden_bit;
  const Int table = table_index(code.unit, bits);
  Register zones = code.make_int();
  code.assign_constant(zones, 0);
  for_each(code, cards, [&](Register card) {
    const Register bit = code.integer(Op::table, {table, code.integer(Op::zone_of, {card, code.constant(kNone)})});
    code.put(Op::mask_or, zones, {zones, code.integer(Op::mask_of, {bit})});
  });
  return zones;
}

Register unknown_in(const FunctionContext& code, Register cards, Register bit) {
  const Layout& l = code.program.layout;
  const Register instance = code.integer(
      Op::table_small,
      {table_index(code.unit, std::vector<Int>(l.hidden_instance, l.hidden_instance + std::max<Int>(1, l.hidden))),
       bit});
  return code.set(Op::set_and, {cards, code.set(Op::zone_cards, {instance})});
}

// Returns the unknown cards that may satisfy `test`, based on the player's knowledge. Unless `each` is true, one card
// represents all unknown cards in the same zone.
Register unknown_that_fit(const FunctionContext& code, Register unknown, model::LocalId element, bool each,
                          const std::function<void(Register one, BlockIndex no)>& test) {
  const Register fitting = code.make_set();
  if (each)
    code.put(Op::set_empty, fitting, {});
  else
    code.assign(fitting, unknown);
  const auto tested = [&](Register one, BlockIndex no) {
    bind(code, element, one);
    code.env().facts.put(element, {.placed = true, .unknown = true});
    test(one, no);
  };
  const auto test_all_in_zone = [&](Register bit) {
    const Register there = unknown_in(code, unknown, bit),
                   one = code.make(register_type(code.unit, simple(TypeKind::card)));
    code.put(Op::set_first, one, {there});
    BlockIndex no = code.add_block(), next = code.add_block();
    tested(one, no);
    code.jump(next);
    code.go_to(no);
    code.put(Op::set_without, fitting, {fitting, there});
    code.jump(next);
    code.go_to(next);
  };
  const auto by_itself = [&](Register one) {
    BlockIndex no = code.add_block();
    tested(one, no);
    code.put(Op::set_add, fitting, {fitting, one});
    code.jump(no);
    code.go_to(no);
  };
  if (each)
    for_each(code, unknown, by_itself);
  else
    for_each(code, zones_of_unknown(code, unknown), test_all_in_zone);
  code.env().facts.put(element, kSeen);
  return fitting;
}

// Returns whether a condition can distinguish between unknown cards in the same zone. Membership in a stored set, as in
// `c in chosen_before`, can distinguish them, even though no other player knows which cards the set contains.
// Conditions on the attributes or the zone of an unknown card cannot.
bool distinguishes_unknown(const ProgramContext& unit, const model::Expr& e, model::LocalId element) {
  using model::ExprKind;
  const auto distinguishes = [&](const model::Expr* a) { return a && distinguishes_unknown(unit, *a, element); };
  const auto is_element = [&](const model::Expr* a) { return a && a->kind == ExprKind::local && a->local == element; };
  switch (e.kind) {
    case ExprKind::local: return e.local == element;
    case ExprKind::attribute:
    case ExprKind::kind_of:
    case ExprKind::counts_as:
    case ExprKind::part_of:
    case ExprKind::faces:
    case ExprKind::is_none:
      return std::any_of(e.args.begin() + is_element(e.args.front()), e.args.end(), distinguishes);
    case ExprKind::in_set:   // all cards in question are in the same zone, so this test cannot distinguish them
      if (is_element(view::in_set(e).element()) && view::in_set(e).set()->kind == ExprKind::zone)
        return std::any_of(view::in_set(e).set()->args.begin(), view::in_set(e).set()->args.end(), distinguishes);
      return std::any_of(e.args.begin(), e.args.end(), distinguishes);
    case ExprKind::call_value:
    case ExprKind::call_function: {
      const model::Expr* body = body_of_call(unit, e);
      const auto& parameters =
          e.kind == ExprKind::call_value ? unit.model.values[e.ref].parameters : unit.model.functions[e.ref].parameters;
      const view::Parts given = view::call(e).arguments();
      if (!body || parameters.size() != given.size()) return std::any_of(given.begin(), given.end(), distinguishes);
      for (std::size_t i = 0; i < given.size(); ++i)
        if (is_element(given[i]) ? distinguishes_unknown(unit, *body, parameters[i].local) : distinguishes(given[i]))
          return true;
      return false;
    }
    default: return std::any_of(e.args.begin(), e.args.end(), distinguishes);
  }
}

Offered offered_of(const FunctionContext& code, Offered domain, bool cards, model::LocalId element,
                   const model::Expr* where) {
  const Register fitting = filtered(code, domain.fitting, cards, element, where);
  if (domain.unknown == ir::kNoRegister || !where) return {fitting, domain.unknown};
  const auto could_be = [&](Register, BlockIndex no) {
    BlockIndex yes = code.add_block();
    branch_on(code, *where, yes, no);
    code.go_to(yes);
  };
  const Register hidden =
      unknown_that_fit(code, domain.unknown, element, distinguishes_unknown(code.unit, *where, element), could_be);
  return {fitting, hidden};
}

}   // namespace cardwright::lower
