// Lowers lists, which are stored in registers. An element of a constant list of sets is represented by its position in
// the list.
#include "compiler/lower/expressions/list_values.h"

#include "compiler/lower/code/blocks.h"
#include "compiler/lower/code/calls.h"
#include "compiler/lower/code/constants.h"
#include "compiler/lower/code/functions.h"
#include "compiler/lower/code/list_registers.h"
#include "compiler/lower/code/locals.h"
#include "compiler/lower/code/traps.h"
#include "compiler/lower/code/types.h"
#include "compiler/lower/context/function_context.h"
#include "compiler/lower/context/hooks.h"
#include "compiler/lower/plans/narrowing.h"
#include "compiler/lower/sets/boards.h"
#include "compiler/lower/sets/knowledge.h"
#include "compiler/lower/sets/sets.h"
#include "compiler/lower/sets/zones.h"

namespace cardwright::lower {

using model::ExprKind;
using model::TypeKind;

static void for_each_subset(const FunctionContext& code, const model::Expr& e,
                            const std::function<void(Register, BlockIndex)>& body);
static void for_each_yielded(const FunctionContext& code, const model::Expr& call, const ListedBody& body);

// ---------------------------------------------------------------- elements

// Returns whether the expression is a list that is stored in the State and whose elements are single values.
bool is_plain_list(const ProgramContext& unit, const model::Expr& e) {
  return e.kind == ExprKind::variable && e.type.kind == TypeKind::list && !is_wide(unit, *e.type.elem) &&
         e.type.elem->kind != TypeKind::list;
}

// Returns the length of a list in the State, or, if `at` is given, the element at that index.
Register state_list(const FunctionContext& code, Op op, const model::Expr& list, const model::Expr* at) {
  need_value(code, list);
  const Int variable = code.unit.ids.variable[list.ref];
  std::vector<Int> operands{variable, flat_index(code, code.model.variables[list.ref], list.args, 0)};
  if (at) operands.push_back(expr(code, *at));
  operands.push_back(code.program.variable_infos[variable].list);
  const Register r = code.make(at ? register_type(code.unit, *list.type.elem) : int_type());
  code.put(op, r, std::move(operands));
  return r;
}

// ---------------------------------------------------------------- constant lists of sets

// Returns the index of the table that contains all sets of a list as words or masks.
static Int set_list_table(ProgramContext& unit, std::uint32_t list) {
  const model::SetList& of = unit.model.set_lists[list];
  const bool wide = is_wide(unit, of.element);
  const std::size_t words = wide ? static_cast<std::size_t>(unit.program.layout.words) : 1;
  std::vector<Int> table;
  for (const auto& set : of.sets) {
    std::vector<Word> bits(words);
    for (Int element : set) {
      const auto bit = static_cast<std::size_t>(
          of.element.elem->kind == TypeKind::card ? unit.ids.of_card[static_cast<std::size_t>(element)] : element);
      bits[bit / 64] |= Word{1} << (bit % 64);
    }
    for (Word word : bits) table.push_back(static_cast<Int>(word));
  }
  return table_index(unit, std::move(table));
}

Register listed_set(const FunctionContext& code, const model::Expr& e) {
  const view::listed_set its(e);
  const Int table = set_list_table(code.unit, e.ref);
  Register at = expr(code, *its.position());
  if (!is_wide(code.unit, e.type)) return code.integer(Op::table, {table, at});
  // An element such as `melds[n]`, which traps if n is out of range.
  if (its.position()->type.kind != TypeKind::listed) {
    std::vector<Int> positions(code.model.set_lists[e.ref].sets.size());
    for (std::size_t i = 0; i < positions.size(); ++i) positions[i] = Int(i);
    at = code.integer(Op::table, {table_index(code.unit, std::move(positions)), at});
  }
  return code.set(Op::set_table, {table, at});
}

// Returns h if the list has the form `melds where it within h`; otherwise returns null.
static const model::Expr* within_of(const ProgramContext& unit, const model::Expr& list) {
  if (list.kind != ExprKind::filter || view::filter(list).domain()->kind != ExprKind::set_list) return nullptr;
  const model::Expr& c = *view::filter(list).condition();
  if (c.kind != ExprKind::within) return nullptr;
  const model::Expr &listed = *view::within(c).left(), &in = *view::within(c).right();
  if (listed.kind != ExprKind::listed_set || !is_wide(unit, listed.type) || mentions(in, list.local)) return nullptr;
  const model::Expr& position = *view::listed_set(listed).position();
  return position.kind == ExprKind::local && position.local == list.local ? &in : nullptr;
}

// Iterates over the elements. The result of a filter is not stored.
void for_each_listed(const FunctionContext& code, const model::Expr& list, const ListedBody& body) {
  if (list.kind == ExprKind::filter && !within_of(code.unit, list)) {
    const view::filter its(list);
    if (asking(code)) code.env().facts.put(list.local, fact(code, *its.domain()));
    for_each_listed(code, *its.domain(), [&](const FunctionContext& at, Register element, BlockIndex next) {
      bind(at, list.local, element);
      BlockIndex yes = code.add_block();
      branch_on(at, *its.condition(), yes, next);
      code.go_to(yes);
      body(at, element, next);
    });
    return;
  }
  if (list.kind == ExprKind::call_function && code.model.functions[list.ref].sequence)
    // Nothing is hoisted, because the variables of the sequence change during the loop.
    return for_each_yielded(code.hoisting(nullptr), list, body);
  const auto here = [&](Register element, BlockIndex next) { body(code, element, next); };
  if (list.kind == ExprKind::subsets) return for_each_subset(code, list, here);
  if (list.kind == ExprKind::numbers) {
    const view::numbers its(list);
    return for_each_number(code, expr(code, *its.lo()), expr(code, *its.hi()), here);
  }
  if (list.kind == ExprKind::set_list) return for_each_in(code, ir::kNoRegister, here, list.type.most);
  walk(code, expr(code, list), list.type, here);
}

// Inlines the code of the sequence, and replaces each `yield` with a copy of the loop body.
static void for_each_yielded(const FunctionContext& code, const model::Expr& call, const ListedBody& body) {
  const model::Function& f = code.model.functions[call.ref];
  Env inner;
  bind_arguments(code, inner, f, call);
  inner.inline_return = true;
  inner.return_block = code.add_block();
  // The fields of a yielded record are passed in locals of the loop.
  std::vector<Register> fields;
  for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(call.value); ++i) {
    const model::LocalId local{call.local.index + i};
    fields.push_back(code.make(register_type(code.unit, code.env().body->locals[local.index].type)));
    bind(code, local, fields.back());
  }
  inner.yields = [&](const std::vector<Register>& parts) {
    BlockIndex next = code.add_block();
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (code.type(fields[i]).kind == ir::RegisterKind::array)
        code.effect(Op::list_copy, {fields[i], parts[i]});
      else
        code.assign(fields[i], parts[i]);
    }
    body(code, parts[0], next);
    code.jump(next);
    code.go_to(next);
  };
  fuel(code);
  if (f.crossings && !code.unit.plain)
    for_each_crossing(code.in(inner), f);
  else
    block(code.in(inner), f.body.block);
  code.jump(inner.return_block);
  code.go_to(inner.return_block);
}

// Iterates over the subsets whose size is in the given range, starting with the smallest ones. Subsets are not stored;
// a list contains the positions of the chosen elements.
static void for_each_subset(const FunctionContext& code, const model::Expr& e,
                            const std::function<void(Register, BlockIndex)>& body) {
  const view::subsets its(e);
  const bool wide = is_wide(code.unit, its.set()->type);
  const model::Type& element = *its.set()->type.elem;
  const auto room = static_cast<std::uint32_t>(wide ? 64 * code.program.layout.words + 1 : 64);
  const Register elements = code.make(array_type(room, element.kind == TypeKind::card)),
                 chosen = code.make(array_type(room)), size = code.make_int(), last = code.make_int();
  const Register set = expr(code, *its.set());
  if (asking(code) && holds_cards(its.set()->type)) need_seen(code, set, fact(code, *its.set()));
  code.effect(Op::array_fill, {elements, code.constant(0)});
  code.effect(Op::array_fill, {chosen, code.constant(0)});
  for_each(code, set, [&](Register x) { code.effect(Op::list_add, {elements, x}); });
  const Register count = code.integer(Op::array_get, {elements, code.constant(0)});
  code.put(Op::max, size, {expr(code, *its.lo()), code.constant(0)});
  code.put(Op::min, last, {expr(code, *its.hi()), count});
  BlockIndex head = code.add_block(), first = code.add_block(), take = code.add_block(), bigger = code.add_block(),
             done = code.add_block();
  code.jump(head);
  code.go_to(head);
  code.branch(code.integer(Op::le, {size, last}, 1), first, done);
  code.go_to(first);
  code.effect(Op::first_subset, {chosen, size});
  code.jump(take);
  code.go_to(take);
  fuel(code);
  const Register subset = code.make(wide ? register_type(code.unit, its.set()->type) : int_type());
  if (wide)
    code.put(Op::set_empty, subset, {});
  else
    code.assign_constant(subset, 0);
  for_each_in(code, chosen, [&](Register place, BlockIndex) {
    const Register x = code.make(int_type(8, code.type(elements).holds_card));
    code.put(Op::array_get, x, {elements, place});
    if (wide)
      code.put(Op::set_add, subset, {subset, x});
    else
      code.put(Op::mask_or, subset, {subset, code.integer(Op::mask_of, {x})});
  });
  const BlockIndex next = code.add_block();
  body(subset, next);
  code.jump(next);
  code.go_to(next);
  code.effect(Op::next_subset, {chosen, count});
  code.branch(code.integer(Op::le, {code.constant(0), code.integer(Op::array_get, {chosen, code.constant(0)})}, 1),
              take, bigger);
  code.go_to(bigger);
  code.put(Op::add_small, size, {size, code.constant(1)});
  code.jump(head);
  code.go_to(done);
}

// Appends all elements of a list expression to a list.
static void append_all(const FunctionContext& code, Register list, const model::Expr& e) {
  if (e.kind == ExprKind::joined) {
    for (const model::Expr* part : e.args) append_all(code, list, *part);
    return;
  }
  if (e.kind != ExprKind::list_of)
    return for_each_listed(code, e, [&](const FunctionContext& at, Register element, BlockIndex) {
      add_element(at, list, e.type, element);
    });
  const view::list_of its(e);
  const model::Expr &domain = *its.domain(), &body = *its.body();
  const auto take = [&](const FunctionContext& code, Register element) {
    bind(code, e.local, element);
    if (e.value)
      append_all(code, list, body);
    else
      add_element(code, list, e.type, expr(code, body));
  };
  if (domain.type.kind != TypeKind::list) {
    const Register all = expr(code, domain);
    look_in_order(code, domain, all, e.local);
    const Register those = filtered(code, all, is_wide(code.unit, domain.type), e.local, its.where());
    if (its.start())
      return clockwise(code, those, expr(code, *its.start()), false,
                       [&](Register player, BlockIndex) { take(code, player); });
    return for_each(code, those, [&](Register element) { take(code, element); });
  }
  if (asking(code)) code.env().facts.put(e.local, fact(code, domain));
  for_each_listed(code, domain, [&](const FunctionContext& code, Register element, BlockIndex next) {
    bind(code, e.local, element);
    if (its.where()) {
      BlockIndex yes = code.add_block();
      branch_on(code, *its.where(), yes, next);
      code.go_to(yes);
    }
    take(code, element);
  });
}

Register list_operation(const FunctionContext& code, const model::Expr& e) {
  if (e.kind == ExprKind::list_equal) {
    const view::list_equal its(e);
    const Register left = expr(code, *its.left()), right = expr(code, *its.right());
    need_distinguishable(code, *its.left(), left, *its.right(), right);
    return code.integer(Op::list_equal, {left, right}, 1);
  }
  if (e.kind == ExprKind::in_list) {
    const view::in_list its(e);
    const Register element = expr(code, *its.element());
    const model::Type& in = *its.list()->type.elem;
    const Op has = is_wide(code.unit, in)      ? Op::list_has_set
                   : in.kind == TypeKind::list ? Op::list_has_list
                                               : Op::list_has;
    const Register list = expr(code, *its.list());
    need_distinguishable(code, *its.element(), element, *its.list(), list);
    return code.integer(has, {list, element}, 1);
  }
  if (e.kind == ExprKind::list_end) {
    const view::list_end its(e);
    const model::Expr& of_list = *its.list();
    const Register list = expr(code, of_list), length = length_of(code, list);
    // For an empty list, the resulting set or list is empty.
    if (const model::Type& of = of_list.type; !holds_ints(code.unit, of))
      return element_of(code, list, of,
                        its.last() ? code.integer(Op::sub_small, {length, code.constant(1)}) : code.constant(0));
    const Register found = code.make(register_type(code.unit, e.type));
    BlockIndex some = code.add_block(), after = code.add_block();
    code.assign_constant(found, is_mask(code.unit, e.type) ? 0 : kNone);
    code.branch(length, some, after);
    code.go_to(some);
    code.put(Op::array_get, found, {list, e.value ? length : code.constant(1)});
    code.jump(after);
    code.go_to(after);
    return found;
  }
  const Register list = code.make(register_type(code.unit, e.type));
  if (e.kind == ExprKind::list_of || e.kind == ExprKind::joined) {
    code.effect(Op::array_fill, {list, code.constant(0)});
    append_all(code, list, e);
    return list;
  }
  // The original list must not change, so the operation is applied to a copy.
  code.effect(Op::list_copy, {list, expr(code, *e.args.front())});
  if (e.kind == ExprKind::list_add) add_element(code, list, e.type, expr(code, *view::list_add(e).element()));
  if (e.kind == ExprKind::list_drop) {
    const Op drop = is_wide(code.unit, *e.type.elem)      ? Op::list_drop_set
                    : e.type.elem->kind == TypeKind::list ? Op::list_drop_list
                                                          : Op::list_drop;
    const view::list_drop its(e);
    const Register dropped = expr(code, *its.element());
    need_distinguishable(code, *its.list(), list, *its.element(), dropped);
    code.effect(drop, {list, dropped});
  }
  return list;
}

// Returns the array of a list value. Element [0] of the array is the length.
Register list_value(const FunctionContext& code, const model::Expr& e) {
  const Register list = code.make(register_type(code.unit, e.type));
  if (const model::Expr* in = within_of(code.unit, e)) {
    const Register those = expr(code, *in);
    // The resulting list reveals which cards the zone contains.
    if (asking(code) && holds_cards(in->type)) need_seen(code, those, fact(code, *in));
    code.effect(Op::sets_within, {list, set_list_table(code.unit, view::filter(e).domain()->ref), those});
    return list;
  }
  if (e.kind == ExprKind::filter && view::filter(e).domain()->kind != ExprKind::set_list)
    code.effect(Op::array_fill, {list, code.constant(0)});
  if (!holds_ints(code.unit, e.type)) {
    for_each_listed(code, e, [&](const FunctionContext& at, Register element, BlockIndex) {
      add_element(at, list, e.type, element);
    });
    return list;
  }
  Register length = code.make_int();
  code.assign_constant(length, 0);
  for_each_listed(code, e, [&](const FunctionContext&, Register element, BlockIndex) {
    code.put(Op::add_small, length, {length, code.constant(1)});
    code.effect(Op::array_set, {list, length, element});
  });
  code.effect(Op::array_set, {list, code.constant(0), length});
  return list;
}

}   // namespace cardwright::lower
