// Emits the options of one action, with a level for each parameter. Independent levels are emitted as masks, all others
// as loops. Options are counted at a decision, listed on request, and selected by the number that the decision returns.
#include "compiler/lower/offers/levels.h"

#include <algorithm>

#include "compiler/lower/code/functions.h"
#include "compiler/lower/code/locals.h"
#include "compiler/lower/code/traps.h"
#include "compiler/lower/code/types.h"
#include "compiler/lower/context/function_context.h"
#include "compiler/lower/context/hooks.h"
#include "compiler/lower/expressions/event_calls.h"
#include "compiler/lower/expressions/unknown_cards.h"
#include "compiler/lower/offers/conditions.h"
#include "compiler/lower/offers/group.h"
#include "compiler/lower/offers/numbers.h"
#include "compiler/lower/plans/narrowing.h"
#include "compiler/lower/rules/carriers.h"
#include "compiler/lower/sets/dice.h"
#include "compiler/lower/sets/knowledge.h"
#include "compiler/lower/sets/sets.h"
#include "compiler/lower/text/alike.h"
#include "compiler/lower/text/option_ids.h"

namespace cardwright::lower {

using model::ActionParameter;
using model::CarrierKind;
using model::PickCount;
using model::TypeKind;

// Returns whether the parameter is a number that does not fit into a mask. The values of such a parameter are
// enumerated.
bool is_walked(const ProgramContext& unit, const ActionParameter& p) {
  return p.type.kind == TypeKind::listed ||
         (p.type.kind == TypeKind::integer && !p.domain && !is_wide_element(unit, p.type) &&
          (p.type.lo < 0 || p.type.hi > model::kMostInSet));
}

// Returns a level for each parameter of the action, in source order. The level of a set represents its first element;
// the remaining elements are chosen later.
std::vector<Level> levels_of(const ProgramContext& unit, const model::Action& action) {
  std::vector<Level> levels;
  if (action.head.carrier.kind == CarrierKind::card) {
    Level l;
    l.local = action.head.self;
    l.type = simple(TypeKind::card);
    levels.push_back(l);
  }
  for (const ActionParameter& p : action.parameters) {
    Level l;
    l.parameter = &p;
    l.local = p.count == PickCount::one ? p.local : p.element;
    l.type = p.type;
    l.written = levels.size();
    l.integers = is_walked(unit, p);
    l.may_be_nothing = may_be_nothing(p);
    if (p.where) l.where = {p.where};
    levels.push_back(l);   // for a set, this is the level of its first element; the others are separate decisions
  }
  return levels;
}

static const ParameterInfo& level_info(const ProgramContext& unit, const Group& g, const Level& l) {
  return unit.program.actions[unit.ids.action[g.index]].parameters[l.written];
}

Register level_digit(const FunctionContext& code, const Group& g, const Level& l, Register element) {
  return l.type.kind == TypeKind::card ? card_digit(code, level_info(code.unit, g, l), element)
                                       : digit(code, l.type, element);
}

// Returns the amount by which an option's id grows if the level's digit increases by one.
Int radix_of(const ProgramContext& unit, const Group& g, const Level& level) {
  Int radix = 1;
  for (const Level& l : g.levels)
    if (l.written > level.written) radix *= level_info(unit, g, l).count;
  return radix;
}

// Reduces the domain to one card of each look-alike class. If several players answer simultaneously, only the acting
// player's own cards are reduced.
Register lookalikes(const FunctionContext& code, Register domain, const Group& g, const Level& l) {
  const std::vector<Int> zones =
      l.parameter ? zones_offered(code.unit, l.parameter->domain) : zones_of_carrier(g.action->head.carrier);
  if (!by_id(code.unit, *g.action) || !l.parameter || !l.parameter->domain) return one_of_each(code, domain, zones);
  Register own = ir::kNoRegister;
  auto visit = [&](auto&& self, const model::Expr& e) -> void {
    const model::Expr* owner = e.kind == model::ExprKind::zone ? view::zone(e).owner() : nullptr;
    if (owner && owner->kind == model::ExprKind::local && owner->local == g.action->head.me) {
      Register zone = expr(code, e);
      own = own == ir::kNoRegister ? zone : code.set(Op::set_or, {own, zone});
    }
    for (const model::Expr* a : e.args)
      if (a) self(self, *a);
  };
  visit(visit, *l.parameter->domain);
  if (own == ir::kNoRegister) return domain;
  return code.set(Op::set_or, {one_of_each(code, code.set(Op::set_and, {domain, own}), zones),
                               code.set(Op::set_without, {domain, own})});
}

static bool distinguishes_unknown(const ProgramContext& unit, const Group& g, std::size_t level) {
  const Level& l = g.levels[level];
  const auto distinguishes = [&](const model::Expr* e) { return e && distinguishes_unknown(unit, *e, l.local); };
  if (std::any_of(l.where.begin(), l.where.end(), distinguishes)) return true;
  if (!has_extra(unit, g, level)) return false;
  bool by_card = false;
  for (std::size_t i = 0; i < g.action->limits.size(); ++i)
    by_card |= level == 0 && unit.limits.of_action.at({g.index, i}).cards;
  return by_card || distinguishes(g.action->head.when) ||
         (level + 1 == g.levels.size() && forbid_reads_parameters(unit, g.index));
}

// Computes Level::extras, which has a bit for each zone that contains a card that is unknown to the acting player and
// may satisfy the conditions.
static void find_unknown(const FunctionContext& code, Group& g, std::size_t level, Register unknown) {
  Level& l = g.levels[level];
  if (l.extras == ir::kNoRegister) {
    l.extras = code.make(site_local(int_type(8)));
    l.unknown_cards = code.make(site_local(set_type()));
  }
  code.assign(l.unknown_cards, unknown_that_fit(code, unknown, l.local, distinguishes_unknown(code.unit, g, level),
                                                [&](Register one, BlockIndex no) {
                                                  pass_all(code, l.where, no);
                                                  if (has_extra(code.unit, g, level))
                                                    extra_conditions(code, g, level, one, no);
                                                }));
  code.assign(l.extras, zones_of_unknown(code, l.unknown_cards));
}

// Clears Level::nothing if the action is not allowed when the player picks nothing for its last parameter.
static void forbid_nothing(const FunctionContext& code, Group& g, std::size_t level) {
  Level& l = g.levels[level];
  BlockIndex look = code.add_block(), no = code.add_block(), after = code.add_block();
  code.branch(l.nothing, look, after);
  code.go_to(look);
  const Register none = code.constant(kNone);
  bind(code, l.local, none);
  extra_conditions(code, g, level, none, no);
  code.jump(after);
  code.go_to(no);
  code.assign_constant(l.nothing, 0);
  code.jump(after);
  code.go_to(after);
}

// Returns the elements that a level offers, as a set or mask. They satisfy all conditions that do not depend on later
// levels.
Register level_domain(const FunctionContext& code, Group& g, std::size_t level) {
  Level& l = g.levels[level];
  if (l.ready) return l.domain;
  bool cards = is_wide_element(code.unit, l.type);
  if (l.domain == ir::kNoRegister) l.domain = code.make(site_local(cards ? set_of(l.type) : int_type(8)));
  Register domain;
  if (!l.parameter) {
    domain = carrier_cards(code, g.action->head, g.me);
    if (asking(code) && !code.unit.facts.secrecy.is_known_whose(g.action->head, code.env().facts))
      domain = code.set(Op::set_known, {g.me, domain});
  } else {
    const ActionParameter& p = *l.parameter;
    const Offered all = elements_offered(code, p, l.local);
    const Register unknown = all.unknown;
    domain = all.fitting;
    const Taken taken(code, l.local, p.domain);
    for (const model::Expr* where : l.where) domain = filtered(taken, domain, cards, l.local, where);
    if (l.unknown) find_unknown(taken, g, level, unknown);
    const auto keep_if = [&](Register offered) {
      if (l.unknown) code.put(Op::select, l.extras, {offered, l.extras, code.constant(0)});
      if (cards)
        domain = code.set(Op::set_select, {offered, domain, empty_set(code, l.type)});
      else
        domain = code.integer(Op::select, {offered, domain, code.constant(0)});
    };
    if (p.count == PickCount::exactly) {   // for example, a cost is offered only if the player has enough elements
      Register count = code.integer(cards ? Op::set_count : Op::mask_count, {domain});
      if (l.unknown) count = code.integer(Op::add_small, {count, code.integer(Op::set_count, {unknown})});
      keep_if(code.integer(Op::le, {as_known(code, *p.amount, [&] { return code.constant(0); }), count}, 1));
    }
    if (l.may_be_nothing) {   // if the deciding player does not know the amount, it may be greater than 0
      if (l.nothing == ir::kNoRegister) l.nothing = code.make(site_local(int_type(1)));
      const Register wanted = as_known(code, *p.amount, [&] { return code.constant(1); });
      code.put(Op::le, l.nothing, {wanted, code.constant(0)});
      keep_if(code.integer(Op::not_, {l.nothing}, 1));
    }
  }
  if (l.may_be_nothing && has_extra(code.unit, g, level)) forbid_nothing(code, g, level);
  if (has_extra(code.unit, g, level)) {
    Register filtered_domain = code.make(code.type(domain));
    make_empty(code, filtered_domain);
    for_each(code, domain, [&](Register element) {
      BlockIndex no = code.add_block();
      bind(code, l.local, element);
      extra_conditions(code, g, level, element, no);
      put_in(code, filtered_domain, element);
      code.jump(no);
      code.go_to(no);
    });
    domain = filtered_domain;
  }
  // This must be the last step, because the limit may be used up for one of two look-alike cards but not for the other.
  if (l.type.kind == TypeKind::card)
    domain = lookalikes(code, domain, g, l);
  else if (!cards && !by_id(code.unit, *g.action))
    domain = dice_apart(code, domain, l.type, g.me);
  code.assign(l.domain, domain);
  return l.domain;
}

static bool is_interval(const FunctionContext& code, Group& g, std::size_t level) {
  std::vector<const model::Expr*> left;
  if (code.unit.plain || !g.levels[level].integers || has_extra(code.unit, g, level)) return false;
  bounds_among(code, g.levels[level].where, g.levels[level].local, left);
  return left.empty();
}

// Computes the bounds of a level's numbers. If all numbers between the bounds are offered, no number is enumerated.
static void level_bounds(const FunctionContext& code, Group& g, std::size_t level) {
  Level& l = g.levels[level];
  if (l.ready) return;
  if (l.low == ir::kNoRegister) l.low = code.make(site_local(int_type(8))), l.high = code.make(site_local(int_type(8)));
  code.assign_constant(l.low, l.type.lo);
  code.assign_constant(l.high, l.type.hi);
  std::vector<const model::Expr*> left;
  narrow_numbers(code, bounds_among(code, l.where, l.local, left), l.local, l.low, l.high);
}

// Emits `body` for the option to pick nothing, if the level offers it.
static void with_nothing(const FunctionContext& code, const Group& g, const Level& l,
                         const std::function<void(Register, Register, BlockIndex next)>& body) {
  BlockIndex offered = code.add_block(), next = code.add_block();
  code.branch(l.nothing, offered, next);
  code.go_to(offered);
  const Register none = code.constant(kNone);
  bind(code, l.local, none);
  body(none, code.constant(level_info(code.unit, g, l).nothing), next);
  code.jump(next);
  code.go_to(next);
}

// Loops over the elements and calls `body` with each element and its digit. If some cards may be unknown, the body is
// emitted twice. Numbers that do not fit into a mask are enumerated between their bounds.
static void each_element(const FunctionContext& code, Group& g, std::size_t level,
                         const std::function<void(Register, Register, BlockIndex next)>& body) {
  Level& l = g.levels[level];
  if (l.given != ir::kNoRegister) {
    const BlockIndex next = code.add_block();
    bind(code, l.local, l.given);
    body(l.given, level_digit(code, g, l, l.given), next);
    code.jump(next);
    code.go_to(next);
    return;
  }
  if (l.only) {
    const Register one = code.constant(bounds(code.unit, l.type).lo);
    BlockIndex next = code.add_block();
    element_conditions(code, g, level, one, next);
    body(one, level_digit(code, g, l, one), next);
    code.jump(next);
    code.go_to(next);
    return;
  }
  if (!l.integers) {
    for_each(code, level_domain(code, g, level), [&](Register element) {
      bind(code, l.local, element);
      BlockIndex next = code.add_block();
      body(element, level_digit(code, g, l, element), next);
      code.jump(next);
      code.go_to(next);
    });
    if (l.may_be_nothing) with_nothing(code, g, l, body);
    if (!l.unknown) return;
    for_each(code, l.extras, [&](Register bit) {
      Register one = code.make(register_type(code.unit, simple(TypeKind::card)));
      code.put(Op::set_first, one, {unknown_in(code, l.unknown_cards, bit)});
      bind(code, l.local, one);
      code.env().facts.put(l.local, {.placed = true, .unknown = true});
      BlockIndex next = code.add_block();
      body(one, code.integer(Op::add_small, {bit, code.constant(level_info(code.unit, g, l).unknown)}), next);
      code.jump(next);
      code.go_to(next);
      code.env().facts.put(l.local, kSeen);
    });
    return;
  }
  level_bounds(code, g, level);
  std::vector<const model::Expr*> left;
  bounds_among(code, l.where, l.local, left);
  Register v = code.make_int();
  code.assign(v, l.low);
  BlockIndex head = code.add_block(), inside = code.add_block(), step = code.add_block(), done = code.add_block();
  code.jump(head);
  code.go_to(head);
  code.branch(code.integer(Op::le_small, {v, l.high}, 1), inside, done);
  code.go_to(inside);
  bind(code, l.local, v);
  pass_all(code, left, step);
  extra_conditions(code, g, level, v, step);
  body(v, level_digit(code, g, l, v), step);
  code.jump(step);
  code.go_to(step);
  fuel(code, -std::min(bounds(code.unit, l.type).hi - bounds(code.unit, l.type).lo + 1, kUnlimited));
  code.put(Op::add_small, v, {v, code.constant(1)});
  code.jump(head);
  code.go_to(done);
}

// Returns whether the domain of any later level depends on the elements chosen at preceding levels.
static bool later_depend(const Group& g, std::size_t level) {
  return std::any_of(g.levels.begin() + static_cast<std::ptrdiff_t>(level) + 1, g.levels.end(),
                     [](const Level& l) { return !l.independent; });
}

// Counts the options of this level and all later levels. If one option is enough, the code jumps to `at_first` as soon
// as it finds one.
static Register count_level(const FunctionContext& code, Group& g, std::size_t level,
                            std::optional<BlockIndex> at_first) {
  Level& l = g.levels[level];
  const bool last = level + 1 == g.levels.size();
  if (l.given != ir::kNoRegister) {
    bind(code, l.local, l.given);
    return last ? code.constant(1) : count_level(code, g, level + 1, at_first);
  }
  const bool interval = is_interval(code, g, level), walked = (l.integers && !interval) || l.only;
  Register total = code.make_int();
  code.assign_constant(total, 0);
  if (later_depend(g, level) || (walked && !last)) {
    each_element(code, g, level, [&](Register, Register, BlockIndex next) {
      const Register here = count_level(code, g, level + 1, std::nullopt);
      if (at_first)
        code.branch(here, *at_first, next);
      else
        code.put(Op::add_small, total, {total, here});
    });
    return total;
  }
  if (walked) {
    each_element(code, g, level, [&](Register, Register, BlockIndex) {
      code.put(Op::add_small, total, {total, code.constant(1)});
    });
    return total;
  }
  Register size = ir::kNoRegister;
  if (interval) {
    level_bounds(code, g, level);
    size = count_numbers(code, l.low, l.high);
  } else {
    size = count_of(code, level_domain(code, g, level));
  }
  if (l.unknown) size = code.integer(Op::add_small, {size, code.integer(Op::mask_count, {l.extras})});
  if (l.may_be_nothing) size = code.integer(Op::add_small, {size, l.nothing});
  if (last) {
    code.assign(total, size);
    return total;
  }
  if (l.rest == ir::kNoRegister) l.rest = code.make(site_local(int_type(8)));
  BlockIndex some = code.add_block(), after = code.add_block();
  code.assign_constant(l.rest, 0);
  code.branch(size, some, after);
  code.go_to(some);
  code.assign(l.rest, count_level(code, g, level + 1, std::nullopt));
  code.put(Op::mul_small, total, {size, l.rest});
  code.jump(after);
  code.go_to(after);
  return total;
}

Register count_group(const FunctionContext& asked, Group& g, std::optional<BlockIndex> at_first) {
  const FunctionContext code = offering(asked, g);
  g.count = code.make_int();
  code.assign_constant(g.count, 0);
  BlockIndex done = code.add_block();
  // Most plays are impossible because the card is missing, so that condition is tested first.
  if (g.action->play && !g.levels.empty() && g.levels[0].type.kind == TypeKind::card &&
      g.levels[0].given == ir::kNoRegister && !has_no_conditions(code.unit, g)) {
    bind(code, g.action->head.me, g.me);
    Register cards = level_domain(code, g, 0);
    BlockIndex some = code.add_block();
    code.branch(code.integer(Op::set_any, {cards}, 1), some, done);
    code.go_to(some);
    g.levels[0].ready = true;
  }
  action_conditions(code, g.index, g.me, done);
  if (g.sensible != ir::kNoRegister && !sensible_reads_parameters(code.unit, g)) sensible_only(code, g, done);
  if (g.levels.empty())
    code.assign_constant(g.count, 1);
  else
    code.assign(g.count, count_level(code, g, 0, at_first));
  if (!g.levels.empty()) g.levels[0].ready = false;
  code.jump(done);
  code.go_to(done);
  return g.count;
}

// Selects the k-th option if the later levels are independent: the element is computed from the option's number.
static void select_by_number(const FunctionContext& code, Group& g, std::size_t level, Register k) {
  Level& l = g.levels[level];
  const bool last = level + 1 == g.levels.size();
  Register here = k, below = k;
  if (!last) {
    here = code.integer(Op::div_small, {k, l.rest});
    below = code.integer(Op::mod_small, {k, l.rest});
  }
  BlockIndex taken = 0;
  if (l.may_be_nothing) {   // if `nothing` is 1, picking nothing is the only option
    BlockIndex nothing = code.add_block(), something = code.add_block();
    taken = code.add_block();
    code.branch(l.nothing, nothing, something);
    code.go_to(nothing);
    code.assign_constant(l.chosen, kNone);
    code.assign_constant(l.digit, level_info(code.unit, g, l).nothing);
    code.jump(taken);
    code.go_to(something);
  }
  if (l.unknown) {
    BlockIndex seen = code.add_block(), unknown = code.add_block(), after = code.add_block();
    const Register known = code.integer(Op::set_count, {l.domain});
    code.branch(code.integer(Op::lt_small, {here, known}, 1), seen, unknown);
    code.go_to(seen);
    code.put(Op::set_nth, l.chosen, {l.domain, here});
    code.assign(l.digit, level_digit(code, g, l, l.chosen));
    code.jump(after);
    code.go_to(unknown);   // draws one of the zone's unknown cards
    const Register bit = code.integer(Op::mask_nth, {l.extras, code.integer(Op::sub_small, {here, known})});
    code.put(Op::set_random, l.chosen, {unknown_in(code, l.unknown_cards, bit)});
    code.put(Op::add_small, l.digit, {bit, code.constant(level_info(code.unit, g, l).unknown)});
    code.jump(after);
    code.go_to(after);
  } else {
    if (is_interval(code, g, level))
      code.put(Op::add_small, l.chosen, {l.low, here});
    else
      code.put(is_wide_element(code.unit, l.type) ? Op::set_nth : Op::mask_nth, l.chosen, {l.domain, here});
    code.assign(l.digit, level_digit(code, g, l, l.chosen));
  }
  if (l.may_be_nothing) {
    code.jump(taken);
    code.go_to(taken);
  }
  bind(code, l.local, l.chosen);
  if (!last) select_level(code, g, level + 1, below);
}

// Selects the k-th option if later levels depend on the element: counts the options of each element again until the
// k-th option is reached.
static void select_by_counting(const FunctionContext& code, Group& g, std::size_t level, Register k) {
  Level& l = g.levels[level];
  const bool last = level + 1 == g.levels.size();
  Register left = code.make_int();
  code.assign(left, k);
  BlockIndex found = code.add_block();
  l.ready = level == 0 && !l.only;   // the domain is still valid, because it was computed when the options were counted
  each_element(code, g, level, [&](Register element, Register digit, BlockIndex next) {
    Register here = last ? code.constant(1) : count_level(code, g, level + 1, std::nullopt);
    BlockIndex this_one = code.add_block(), other = code.add_block();
    code.branch(code.integer(Op::lt_small, {left, here}, 1), this_one, other);
    code.go_to(this_one);
    code.assign(l.chosen, element);
    code.assign(l.digit, digit);
    code.jump(found);
    code.go_to(other);
    code.put(Op::sub_small, left, {left, here});
    code.jump(next);
  });
  l.ready = false;
  code.effect(Op::trap, {Int(Trap::fell_through)});
  code.go_to(found);
  auto later = [&] {   // the domains of the later levels were last computed for this element
    bind(code, l.local, l.chosen);
    if (!last) select_level(code, g, level + 1, left);
  };
  if (!l.unknown) return later();
  BlockIndex seen = code.add_block(), unknown = code.add_block(), after = code.add_block();
  const Register first_unknown = code.constant(level_info(code.unit, g, l).unknown);
  code.branch(code.integer(Op::lt_small, {l.digit, first_unknown}, 1), seen, unknown);
  code.go_to(seen);
  later();
  code.jump(after);
  code.go_to(unknown);   // as in separate choices, the unknown card is drawn before the later levels
  const Register shown = code.make(register_type(code.unit, l.type));
  code.put(Op::set_random, shown,
           {unknown_in(code, l.unknown_cards, code.integer(Op::sub_small, {l.digit, first_unknown}))});
  code.env().facts.put(l.local, {.placed = true, .unknown = true});
  later();
  code.env().facts.put(l.local, kSeen);
  code.assign(l.chosen, shown);
  code.jump(after);
  code.go_to(after);
  bind(code, l.local, l.chosen);
}

void select_level(const FunctionContext& code, Group& g, std::size_t level, Register k) {
  Level& l = g.levels[level];
  if (l.given != ir::kNoRegister) {
    l.chosen = l.given;
    l.digit = level_digit(code, g, l, l.given);
    bind(code, l.local, l.given);
    if (level + 1 < g.levels.size()) select_level(code, g, level + 1, k);
    return;
  }
  if (l.chosen != ir::kNoRegister && l.digit == ir::kNoRegister) {   // the group was counted together with others
    l.digit = level_digit(code, g, l, l.chosen);
    bind(code, l.local, l.chosen);
    return;
  }
  if (l.chosen == ir::kNoRegister) {
    l.chosen = code.make(register_type(code.unit, l.type));
    l.digit = code.make_int();
  }
  // With a single element, k is also the option's number among the later levels.
  if (l.only && level + 1 < g.levels.size()) {
    code.assign_constant(l.chosen, bounds(code.unit, l.type).lo);
    code.assign(l.digit, level_digit(code, g, l, l.chosen));
    bind(code, l.local, l.chosen);
    return select_level(code, g, level + 1, k);
  }
  const bool walked = l.only || (l.integers && !is_interval(code, g, level));
  if (walked || later_depend(g, level)) return select_by_counting(code, g, level, k);
  select_by_number(code, g, level, k);
}

static void each_from(const FunctionContext& code, Group& g, std::size_t level,
                      const std::function<void(const FunctionContext&, BlockIndex next)>& body) {
  each_element(code, g, level, [&](Register element, Register, BlockIndex next) {
    bind(code, g.levels[level].local, element);
    if (level + 1 < g.levels.size()) return each_from(code, g, level + 1, body);
    body(code, next);
  });
}

void each_option(const FunctionContext& asked, Group& g,
                 const std::function<void(const FunctionContext&, BlockIndex next)>& body) {
  const FunctionContext code = offering(asked, g);
  bind(code, g.action->head.me, g.me);
  if (g.levels.empty()) {
    const BlockIndex after = code.add_block();
    body(code, after);
    code.jump(after);
    code.go_to(after);
    return;
  }
  // The first level's domain from counting is still valid. The domains of later levels are valid only if they do not
  // depend on preceding levels.
  const bool all_valid = !later_depend(g, 0);
  for (std::size_t i = 0; i < g.levels.size(); ++i) g.levels[i].ready = !g.levels[i].only && (i == 0 || all_valid);
  each_from(code, g, 0, body);
  for (Level& l : g.levels) l.ready = false;
}

static void list_level(const FunctionContext& code, Group& g, std::size_t level, Register id) {
  Level& l = g.levels[level];
  each_element(code, g, level, [&](Register element, Register digit, BlockIndex) {
    bind(code, l.local, element);
    Register next = code.integer(Op::add_small,
                                 {id, code.integer(Op::mul_small, {digit, code.constant(radix_of(code.unit, g, l))})});
    if (level + 1 < g.levels.size()) return list_level(code, g, level + 1, next);
    list_option(code, next);
  });
}

// Lists the options of the group. `some` is nonzero if the group has any options.
void list_group(const FunctionContext& code, Group& g, Register some) {
  BlockIndex yes = code.add_block(), after = code.add_block();
  code.branch(some, yes, after);
  code.go_to(yes);
  const Int base = code.program.actions[code.unit.ids.action[g.index]].base;
  if (g.levels.empty())
    list_option(code, code.constant(base));
  else
    list_level(offering(code, g), g, 0, code.constant(base));
  code.jump(after);
  code.go_to(after);
}

}   // namespace cardwright::lower
