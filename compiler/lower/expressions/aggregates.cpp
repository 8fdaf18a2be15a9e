#include "compiler/lower/expressions/aggregates.h"

#include <algorithm>
#include <limits>

#include "compiler/lower/code/constants.h"
#include "compiler/lower/code/locals.h"
#include "compiler/lower/code/types.h"
#include "compiler/lower/context/function_context.h"
#include "compiler/lower/context/hooks.h"
#include "compiler/lower/expressions/list_values.h"
#include "compiler/lower/plans/narrowing.h"
#include "compiler/lower/rules/carriers.h"
#include "compiler/lower/sets/boards.h"
#include "compiler/lower/sets/knowledge.h"
#include "compiler/lower/sets/sets.h"

namespace cardwright::lower {

using model::TypeKind;

static Register first_with_most(const FunctionContext& code, Register domain, model::LocalId local,
                                const model::Expr& key, bool least);

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
  const model::Aggregate how = its.how();
  if (how == model::Aggregate::set_union && is_wide(code.unit, e.type) && !its.where() &&
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
    if (how == model::Aggregate::count) return code.integer(cards ? Op::set_count : Op::mask_count, {domain});
    if (auto result = printed_total(code, e, domain)) return *result;
  }
  bool set_result = how == model::Aggregate::set_union && is_wide(code.unit, e.type);
  Register total = set_result ? empty_set(code, *e.type.elem) : code.make_int();
  if (!set_result)
    code.assign_constant(total, how == model::Aggregate::most || how == model::Aggregate::least ? kNone : 0);
  const auto take = [&](const FunctionContext& code, Register element) {
    bind(code, e.local, element);
    if (how == model::Aggregate::count) return code.put(Op::add_small, total, {total, code.constant(1)});
    Register v = expr(code, *body);
    if (how == model::Aggregate::sum) return code.put(Op::add, total, {total, v});
    if (how == model::Aggregate::set_union) return code.put(set_result ? Op::set_or : Op::mask_or, total, {total, v});
    BlockIndex first = code.add_block(), other = code.add_block(), next = code.add_block(), known = code.add_block();
    code.branch(code.integer(Op::eq, {v, code.constant(kNone)}, 1), next, known);
    code.go_to(known);
    code.branch(code.integer(Op::eq, {total, code.constant(kNone)}, 1), first, other);
    code.go_to(first);
    code.assign(total, v);
    code.jump(next);
    code.go_to(other);
    code.put(how == model::Aggregate::most ? Op::max : Op::min, total, {total, v});
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

// Lowers `S with most E, then least F`: applies the keys in order, and retains only the best elements for each key. The
// code has no branches, because the comparisons are unpredictable.
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
    Register best_elements = code.make(code.type(domain));
    // An element whose key equals this initial value is also retained, because the loop tests for equality.
    code.assign_constant(top, least ? std::numeric_limits<Int>::max() : kNone + 1);
    make_empty(code, best_elements);
    for_each(code, domain, [&](Register element) {
      bind(code, e.local, element);
      Register v = expr(code, *keys[k]);
      Register better = least ? code.integer(Op::lt, {v, top}, 1) : code.integer(Op::lt, {top, v}, 1);
      Register same = code.integer(Op::eq, {v, top}, 1);
      if (cards) {
        Register with = code.set(Op::set_add, {best_elements, element}), alone = code.make(code.type(best_elements));
        code.put(Op::set_of, alone, {element});
        code.put(Op::set_select, best_elements, {better, alone, code.set(Op::set_select, {same, with, best_elements})});
      } else {
        Register alone = code.integer(Op::mask_of, {element}), with = code.integer(Op::mask_or, {best_elements, alone});
        code.put(Op::select, best_elements, {better, alone, code.integer(Op::select, {same, with, best_elements})});
      }
      code.put(Op::select, top, {better, v, top});
    });
    code.assign(domain, best_elements);
  }
  return domain;
}

// Returns the card or cell with the maximum or minimum key, or none if the set is empty. If several elements have that
// key, returns the one with the lowest id.
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
