// Lowers sets, loops over their elements, and aggregates.
#include "compiler/lower/sets/sets.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "compiler/lower/expressions/three_valued.h"
#include "compiler/lower/sets/boards.h"
#include "compiler/lower/expressions/calls.h"
#include "compiler/lower/offers/choices.h"
#include "compiler/lower/context/constants.h"
#include "compiler/lower/events/events.h"
#include "compiler/lower/expressions/explain.h"
#include "compiler/lower/expressions/expressions.h"
#include "compiler/lower/sets/guesses.h"
#include "compiler/lower/context/layout.h"
#include "compiler/lower/sets/lists.h"
#include "compiler/lower/text/log.h"
#include "compiler/lower/plans/narrowing.h"
#include "compiler/lower/context/metadata.h"
#include "compiler/lower/offers/offers.h"
#include "compiler/lower/sets/pieces.h"
#include "compiler/lower/sets/zones.h"
#include "compiler/lower/race/race.h"
#include "compiler/lower/statements/statements.h"
#include "compiler/lower/sets/tables.h"
#include "compiler/lower/rules/watch.h"

namespace cardwright::lower {

using model::ExprKind;
using model::TypeKind;

static Register first_with_most(const FunctionContext& code, Register domain, model::LocalId local,
                                const model::Expr& key, bool least);

// ---------------------------------------------------------------- counts as

// Returns the cards of `domain` that count as one of `kinds` because of an `also` rule. `holder` is the player who has
// them, if known.
Register also_set(const FunctionContext& code, const std::vector<Int>& kinds, Register domain, Register holder) {
  Register found = code.set(Op::set_empty, {});
  for (const model::Also& also : code.model.alsos) {
    if (std::find(kinds.begin(), kinds.end(), Int(also.counts_as.index)) == kinds.end()) continue;
    std::vector<Int> made;
    for (model::KindId k : also.kinds)
      if (std::find(kinds.begin(), kinds.end(), Int(k.index)) == kinds.end()) made.push_back(k.index);
    if (made.empty()) continue;
    Register candidates = code.set(Op::set_and, {domain, const_cards(code, cards_of_kinds(code.unit, made))});
    Env inner = code.env();
    model::Body none;
    inner.body = &none;
    inner.places.clear();
    inner.facts = {};
    carriers(code.in(inner), also.head, {.me = holder}, [&](Register me, Register) {
      Register zone = code.set(Op::zone_cards, {zone_instance(code, also.zone, me)});
      code.put(Op::set_or, found, {found, code.set(Op::set_and, {candidates, zone})});
    });
  }
  return found;
}

Register counts_as(const FunctionContext& code, const model::Expr& e) {
  const view::counts_as its(e);
  Register card = card_seen(code, *its.card());
  Register result = code.make(int_type(1));
  Register printed = code.integer(Op::set_has, {const_cards(code, cards_of_kinds(code.unit, e.values)), card}, 1);
  bool also = std::any_of(code.model.alsos.begin(), code.model.alsos.end(), [&](const model::Also& a) {
    return std::find(e.values.begin(), e.values.end(), Int(a.counts_as.index)) != e.values.end();
  });
  if (!also) return printed;
  Register holder = e.args.size() > 1 && its.holder() ? expr(code, *its.holder()) : ir::kNoRegister;
  Register one = code.set(Op::set_of, {card});
  if (asking(code) && !fact(code, *its.card()).placed) need(code, knows_all(code, one));
  Register made = code.integer(Op::set_any, {also_set(code, e.values, one, holder)}, 1);
  code.put(Op::or_, result, {printed, made});
  return result;
}

// ---------------------------------------------------------------- sets and their elements

// Returns the register type of an element of a set or mask.
RegisterType element_type(const FunctionContext& code, Register set) {
  if (code.type(set).kind != ir::RegisterKind::set) return int_type(1);
  return code.type(set).holds_card ? register_type(code.unit, simple(TypeKind::card)) : int_type(2);
}

void make_empty(const FunctionContext& code, Register set) {
  if (takes_words(code, set))
    code.put(Op::set_empty, set, {});
  else
    code.assign_constant(set, 0);
}

void put_in(const FunctionContext& code, Register set, Register element) {
  if (takes_words(code, set))
    code.put(Op::set_add, set, {set, element});
  else
    code.put(Op::mask_or, set, {set, code.integer(Op::mask_of, {element})});
}

void unite(const FunctionContext& code, Register set, Register others) {
  code.put(takes_words(code, set) ? Op::set_or : Op::mask_or, set, {set, others});
}

Register count_of(const FunctionContext& code, Register set) {
  return code.integer(takes_words(code, set) ? Op::set_count : Op::mask_count, {set});
}

Register has_any(const FunctionContext& code, Register set) {
  return takes_words(code, set) ? code.integer(Op::set_any, {set}, 1)
                                : code.integer(Op::ne, {set, code.constant(0)}, 1);
}

Register take_first(const FunctionContext& code, Register rest) {
  const Register element = code.make(element_type(code, rest));
  code.put(takes_words(code, rest) ? Op::set_first : Op::mask_first, element, {rest});
  if (takes_words(code, rest))
    code.put(Op::set_rest, rest, {rest});
  else
    code.put(Op::mask_without, rest, {rest, code.integer(Op::mask_of, {element})});
  return element;
}

void for_each(const FunctionContext& code, Register domain, const std::function<void(Register)>& body) {
  if (const auto mask = code.known_here(domain); mask && std::has_single_bit(static_cast<std::uint64_t>(*mask)))
    return body(code.constant(std::countr_zero(static_cast<std::uint64_t>(*mask))));
  Register rest = code.make(code.type(domain));
  code.assign(rest, domain);
  BlockIndex head = code.add_block(), inside = code.add_block(), done = code.add_block();
  code.jump(head);
  code.go_to(head);
  code.branch(has_any(code, rest), inside, done);
  code.go_to(inside);
  body(take_first(code, rest));
  code.jump(head);
  code.go_to(done);
}

// Iterates over the players of `mask` from `start`; `body` may jump to `next` to continue.
void clockwise(const FunctionContext& code, Register mask, Register start, bool backwards,
               const std::function<void(Register, BlockIndex)>& body) {
  Register rest = code.make_int(4);
  code.assign(rest, mask);
  Register from = code.make(int_type(1));
  code.put(Op::select, from, {code.integer(Op::eq, {start, code.constant(kNone)}, 1), code.constant(0), start});
  BlockIndex head = code.add_block(), inside = code.add_block(), done = code.add_block();
  code.jump(head);
  code.go_to(head);
  code.branch(code.integer(Op::ne, {rest, code.constant(0)}, 1), inside, done);
  code.go_to(inside);
  Register player = code.make(int_type(1));
  code.put(backwards ? Op::mask_previous : Op::mask_next, player, {rest, from});
  code.put(Op::mask_without, rest, {rest, code.integer(Op::mask_of, {player}, 4)});
  body(player, head);
  code.jump(head);
  code.go_to(done);
}

Register filtered(const FunctionContext& code, Register domain, bool cards, model::LocalId local,
                  const model::Expr* where) {
  if (!where) return domain;
  std::vector<const model::Expr*> parts = conjuncts(*where);
  domain = narrowed(code, domain, cards, local, parts);
  if (parts.empty()) return domain;
  Register found = code.make(code.type(domain));
  if (cards)
    code.put(Op::set_empty, found, {});
  else
    code.assign_constant(found, 0);
  look_through(code, domain, [&](const FunctionContext& code, Register element) {
    bind(code, local, element);
    BlockIndex next = code.add_block();
    for (const model::Expr* part : parts) {
      BlockIndex yes = code.add_block();
      branch_on(code, *part, yes, next);
      code.go_to(yes);
    }
    if (cards)
      code.put(Op::set_add, found, {found, element});
    else
      code.put(Op::mask_or, found, {found, code.integer(Op::mask_of, {element})});
    code.jump(next);
    code.go_to(next);
  });
  return found;
}

Register filter(const FunctionContext& outer, const model::Expr& e) {
  const view::filter its(e);
  if (e.type.kind == TypeKind::list) return list_value(outer, e);
  const Taken code(outer, e.local, its.domain());
  bool cards = is_wide(code.unit, its.domain()->type);
  Register domain = looked_through(outer, *its.domain(), e.local, {its.condition()});
  return filtered(code, domain, cards, e.local, its.condition());
}

Register aggregate(const FunctionContext& outer, const model::Expr& e) {
  const view::aggregate its(e);
  const Taken code(outer, e.local, its.domain());
  bool cards = is_wide(code.unit, its.domain()->type);
  const model::Expr* body = its.body();
  if (e.value == 3 && is_wide(code.unit, e.type) && !its.where() &&
      writes_out(code, *its.domain(), e.local, {body}, nullptr)) {
    Register all = empty_set(code, *e.type.elem);
    for (Int v : its.domain()->values) {
      bind_constant(code, e.local, v);
      code.put(Op::set_or, all, {all, expr(code, *body)});
    }
    return all;
  }
  const bool list = its.domain()->type.kind == TypeKind::list;
  const model::Expr* where = its.where();
  Register domain = ir::kNoRegister;
  if (!list) {
    domain = looked_through(code, *its.domain(), e.local, {where, body});
    if (asking(code) && holds_cards(its.domain()->type) && fact(code, *its.domain()).is_mixed())
      need(code, knows_all(code, domain));
    domain = filtered(code, domain, cards, e.local, where);
    if (e.value == 4) return code.integer(cards ? Op::set_count : Op::mask_count, {domain});
    if (auto result = printed_total(code, e, domain)) return *result;
  }
  bool set_result = e.value == 3 && is_wide(code.unit, e.type);
  Register total = set_result ? empty_set(code, *e.type.elem) : code.make_int();
  if (!set_result) code.assign_constant(total, e.value == 1 || e.value == 2 ? kNone : 0);
  const auto take = [&](const FunctionContext& code, Register element) {
    bind(code, e.local, element);
    if (e.value == 4) return code.put(Op::add_small, total, {total, code.constant(1)});
    Register v = expr(code, *body);
    switch (e.value) {
      case 0: code.put(Op::add, total, {total, v}); return;
      case 3: code.put(set_result ? Op::set_or : Op::mask_or, total, {total, v}); return;
      default: break;
    }
    BlockIndex first = code.add_block(), other = code.add_block(), next = code.add_block(), known = code.add_block();
    code.branch(code.integer(Op::eq, {v, code.constant(kNone)}, 1), next, known);
    code.go_to(known);
    code.branch(code.integer(Op::eq, {total, code.constant(kNone)}, 1), first, other);
    code.go_to(first);
    code.assign(total, v);
    code.jump(next);
    code.go_to(other);
    code.put(e.value == 1 ? Op::max : Op::min, total, {total, v});
    code.jump(next);
    code.go_to(next);
  };
  if (!list) {
    for_each(code, domain, [&](Register element) { take(code, element); });
    return total;
  }
  if (asking(code)) code.env().facts.put(e.local, fact(code, *its.domain()));
  for_each_listed(code, *its.domain(), [&](const FunctionContext& code, Register element, BlockIndex next) {
    bind(code, e.local, element);
    if (where) {
      BlockIndex yes = code.add_block();
      branch_on(code, *where, yes, next);
      code.go_to(yes);
    }
    take(code, element);
  });
  return total;
}

// Returns whether any element satisfies the condition.
Register exists(const FunctionContext& outer, const model::Expr& e) {
  const view::exists its(e);
  const Taken code(outer, e.local, its.domain());
  const bool cards = is_wide(code.unit, its.domain()->type), list = its.domain()->type.kind == TypeKind::list;
  std::vector<const model::Expr*> parts = conjuncts(*its.condition());
  Register domain = ir::kNoRegister;
  if (!list) {
    const Register all = looked_through(code, *its.domain(), e.local, {its.condition()});
    domain = narrowed(code.asking_whether(parts.back()), all, cards, e.local, parts);
    if (parts.empty())
      return cards ? code.integer(Op::set_any, {domain}, 1) : code.integer(Op::ne, {domain, code.constant(0)}, 1);
  }
  Register found = code.make(int_type(1));
  code.assign_constant(found, 0);
  BlockIndex done = code.add_block();
  const auto look = [&](const FunctionContext& code, Register element) {
    bind(code, e.local, element);
    BlockIndex no = code.add_block();
    for (const model::Expr* part : parts) {
      BlockIndex yes = code.add_block();
      branch_on(code, *part, yes, no);
      code.go_to(yes);
    }
    code.assign_constant(found, 1);
    code.jump(done);
    code.go_to(no);
  };
  if (list && asking(code)) code.env().facts.put(e.local, fact(code, *its.domain()));
  if (list)
    for_each_listed(code, *its.domain(),
                    [&](const FunctionContext& at, Register element, BlockIndex) { look(at, element); });
  else
    look_through(code, domain, look);
  code.jump(done);
  code.go_to(done);
  return found;
}

// Returns the set of the numbers from `lo` to `hi`.
Register number_mask(const FunctionContext& code, Register lo, Register hi) {
  Register found = code.make_int();
  code.assign_constant(found, 0);
  BlockIndex some = code.add_block(), fits = code.add_block(), wrong = code.add_block(), done = code.add_block();
  code.branch(code.integer(Op::le, {lo, hi}, 1), some, done);
  code.go_to(some);
  code.branch(code.integer(Op::and_,
                           {code.integer(Op::le, {code.constant(0), lo}, 1),
                            code.integer(Op::le, {hi, code.constant(model::kMostInSet)}, 1)},
                           1),
              fits, wrong);
  code.go_to(wrong);
  fail(code, Trap::out_of_range, About::range, lo, hi);
  code.go_to(fits);
  code.put(Op::mask_without, found,
           {code.integer(Op::mask_below, {code.integer(Op::add_small, {hi, code.constant(1)})}),
            code.integer(Op::mask_below, {lo})});
  code.jump(done);
  code.go_to(done);
  return found;
}

// Lowers `S with most E, then least F`: applies the keys in order, and keeps the best elements for each. The code has
// no branches, because the comparisons are unpredictable.
Register best(const FunctionContext& code, const model::Expr& e, bool first_alone) {
  const model::Expr& of = *view::best(e).domain();
  const view::Parts keys = view::best(e).keys();
  bool cards = is_wide(code.unit, of.type);
  Register domain = code.make(cards ? register_type(code.unit, e.type) : int_type(8));
  code.assign(domain, expr(code, of));
  if (asking(code)) {
    const Fact sure = fact(code, of);
    code.env().facts.put(e.local, sure);
    const auto depends_on_them = [&](const model::Expr* key) { return reads(code, key); };
    if (holds_cards(of.type) && !sure.named && std::any_of(keys.begin(), keys.end(), depends_on_them)) {
      need_seen(code, domain, sure);
      code.env().facts.put(e.local, kSeen);
    }
  }
  for (std::size_t k = 0; k < keys.size(); ++k) {
    bool least = e.value >> k & 1;
    if (first_alone && k + 1 == keys.size()) return first_with_most(code, domain, e.local, *keys[k], least);
    Register top = code.make_int();
    Register kept = code.make(code.type(domain));
    // an element whose key equals the best so far is kept, even if the key is the most extreme value
    code.assign_constant(top, least ? std::numeric_limits<Int>::max() : kNone + 1);
    make_empty(code, kept);
    for_each(code, domain, [&](Register element) {
      bind(code, e.local, element);
      Register v = expr(code, *keys[k]);
      Register better = least ? code.integer(Op::lt, {v, top}, 1) : code.integer(Op::lt, {top, v}, 1);
      Register same = code.integer(Op::eq, {v, top}, 1);
      if (cards) {
        Register with = code.set(Op::set_add, {kept, element}), alone = code.make(code.type(kept));
        code.put(Op::set_of, alone, {element});
        code.put(Op::set_select, kept, {better, alone, code.set(Op::set_select, {same, with, kept})});
      } else {
        Register alone = code.integer(Op::mask_of, {element}), with = code.integer(Op::mask_or, {kept, alone});
        code.put(Op::select, kept, {better, alone, code.integer(Op::select, {same, with, kept})});
      }
      code.put(Op::select, top, {better, v, top});
    });
    code.assign(domain, kept);
  }
  return domain;
}

// Returns the lowest card or cell with the maximum or minimum, or none if the set is empty.
static Register first_with_most(const FunctionContext& code, Register domain, model::LocalId local,
                                const model::Expr& key, bool least) {
  const Register top = code.make_int(), found = code.make(element_type(code, domain));
  code.assign_constant(top, least ? std::numeric_limits<Int>::max() : kNone + 1);
  code.assign_constant(found, kNone);
  for_each(code, domain, [&](Register element) {
    bind(code, local, element);
    const Register v = expr(code, key);
    Register better = least ? code.integer(Op::lt, {v, top}, 1) : code.integer(Op::lt, {top, v}, 1);
    better = code.integer(Op::or_, {better, code.integer(Op::eq, {found, code.constant(kNone)}, 1)}, 1);
    code.put(Op::select, found, {better, element, found});
    code.put(Op::select, top, {better, v, top});
  });
  return found;
}

}   // namespace cardwright::lower
