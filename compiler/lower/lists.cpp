// Lists: those in registers, and the consts that are lists of sets, of which a register holds only a position.
#include "compiler/lower/lowering.h"

namespace cardwright::lower {

using model::ExprKind;
using model::TypeKind;

// ---------------------------------------------------------------- elements

// How many ints of a register one element takes. (Sets of players, constants and numbers are one: a mask.)
Int Lowering::each_of(const model::Type& list) const {
  return is_wide(*list.elem) ? program_.layout.words : list.elem->kind == TypeKind::list ? list.elem->most + 1 : 1;
}

bool Lowering::holds_ints(const model::Type& list) const {
  return !is_wide(*list.elem) && list.elem->kind != TypeKind::list;
}

// [0] says how many ints follow.
RegisterType Lowering::list_register(const model::Type& list) const {
  const model::Type& one = list.elem->elem ? *list.elem->elem : *list.elem;
  RegisterType type = array_type(static_cast<std::uint32_t>(list.most * each_of(list) + 1), one.kind == TypeKind::card);
  type.each = static_cast<std::uint32_t>(each_of(list));
  type.holds_sets = is_wide(*list.elem);
  return type;
}

RegisterType Lowering::list_register(Int variable) const {
  const VariableInfo& info = program_.variable_infos[variable];
  const bool sets = program_.variables[variable].is_set;
  const Int each = sets ? program_.layout.words : info.inner > 0 ? info.inner + 1 : 1;
  RegisterType type = array_type(static_cast<std::uint32_t>(info.list * each + 1),
                                 info.kind == ValueKind::card || info.kind == ValueKind::card_set);
  type.each = static_cast<std::uint32_t>(each);
  type.holds_sets = sets;
  return type;
}

Register Lowering::load_list(Int variable, Register index, RegisterType type) {
  const VariableInfo& info = program_.variable_infos[variable];
  const Register list = b().make(type);
  if (type.holds_sets) b().effect(Op::list_load_sets, {list, variable, index, info.list});
  else if (info.inner > 0) b().effect(Op::list_load_lists, {list, variable, index, info.list, info.inner});
  else b().effect(Op::list_load, {list, variable, index, info.list});
  return list;
}

// A list in the State, of which each element is one value.
bool Lowering::is_plain_list(const model::Expr& e) const {
  return e.kind == ExprKind::variable && e.type.kind == TypeKind::list && !is_wide(*e.type.elem) &&
         e.type.elem->kind != TypeKind::list;
}

// Its length, or one of its elements.
Register Lowering::state_list(Op op, const model::Expr& list, const model::Expr* at) {
  need_value(list);
  const Int variable = variable_of_[list.ref];
  std::vector<Int> operands{variable, flat_index(model_.variables[list.ref], list.args, 0)};
  if (at) operands.push_back(expr(*at));
  operands.push_back(program_.variable_infos[variable].list);
  const Register r = b().make(at ? register_type(*list.type.elem) : int_type());
  b().put(op, r, std::move(operands));
  return r;
}

void Lowering::store_list(Int variable, Register index, Register list) {
  const VariableInfo& info = program_.variable_infos[variable];
  if (program_.variables[variable].is_set) b().effect(Op::list_store_sets, {list, variable, index, info.list});
  else if (info.inner > 0) b().effect(Op::list_store_lists, {list, variable, index, info.list, info.inner});
  else b().effect(Op::list_store, {list, variable, index, info.list});
}

void Lowering::add_element(Register list, const model::Type& type, Register element) {
  b().effect(is_wide(*type.elem)                 ? Op::list_add_set
             : type.elem->kind == TypeKind::list ? Op::list_add_list
                                                 : Op::list_add,
             {list, element});
}

void Lowering::put_element(Register list, const model::Type& type, Register index, Register element) {
  b().effect(is_wide(*type.elem)                 ? Op::list_put_set
             : type.elem->kind == TypeKind::list ? Op::list_put_list
                                                 : Op::list_put,
             {list, index, element});
}

// From 0, and known to be there.
Register Lowering::element_of(Register list, const model::Type& type, Register index) {
  if (holds_ints(type)) return b().integer(Op::array_get, {list, b().integer(Op::add_small, {index, b().constant(1)})});
  const Register element = b().make(register_type(*type.elem));
  take_element(element, list, index);
  return element;
}

// Of elements that take several ints.
void Lowering::take_element(Register to, Register list, Register index) {
  if (b().type(to).kind == ir::RegisterKind::set) b().put(Op::list_set_at, to, {list, index});
  else b().effect(Op::list_list_at, {to, list, index});
}

Register Lowering::length_of(Register list) {
  const Register ints = b().integer(Op::array_get, {list, b().constant(0)});
  const Int each = b().type(list).each;
  return each == 1 ? ints : b().integer(Op::div_small, {ints, b().constant(each)});
}

// The elements of a list in a register, one after the other.
void Lowering::walk(Register list, const model::Type& type, const std::function<void(Register, BlockIndex)>& body) {
  if (holds_ints(type)) return for_each_in(list, body);
  const Register length = length_of(list), i = b().make_int(), element = b().make(register_type(*type.elem));
  b().assign_constant(i, -1);
  BlockIndex head = b().add_block(), inside = b().add_block(), done = b().add_block();
  b().jump(head);
  b().go_to(head);
  fuel(-type.most);
  b().put(Op::add_small, i, {i, b().constant(1)});
  b().branch(b().integer(Op::lt_small, {i, length}, 1), inside, done);
  b().go_to(inside);
  take_element(element, list, i);
  body(element, head);
  b().jump(head);
  b().go_to(done);
}

// What passes on a list: its length and all that it may hold.
std::vector<RegisterType> Lowering::parts_of(const RegisterType& list) const {
  std::vector<RegisterType> parts{int_type()};
  for (std::uint32_t i = 1; i < list.length; i += list.holds_sets ? list.each : 1) {
    parts.push_back(list.holds_sets ? set_type() : int_type(8, list.card_at(i)));
    if (list.holds_sets) parts.back().holds_card = list.holds_card;
  }
  return parts;
}

std::vector<Register> Lowering::taken_apart(Register list) {
  std::vector<Register> parts;
  for (Int i = 0; const RegisterType& type : parts_of(b().type(list))) {
    parts.push_back(b().make(type));
    if (type.kind == ir::RegisterKind::set) b().put(Op::list_set_at, parts.back(), {list, b().constant(i - 1)});
    else b().put(Op::array_get, parts.back(), {list, b().constant(i)});
    ++i;
  }
  return parts;
}

void Lowering::put_together(Register list, const std::vector<Register>& parts) {
  b().effect(Op::array_fill, {list, b().constant(0)});
  const bool sets = b().type(list).holds_sets;
  for (std::size_t i = 1; i < parts.size() && sets; ++i) b().effect(Op::list_add_set, {list, parts[i]});
  for (std::size_t i = 0; i < (sets ? 1 : parts.size()); ++i)
    b().effect(Op::array_set, {list, b().constant(Int(i)), parts[i]});
}

// ---------------------------------------------------------------- lists of sets that are known before the game

// All sets of a list, word by word; or mask by mask.
Int Lowering::set_list_table(std::uint32_t list) {
  const model::SetList& of = model_.set_lists[list];
  const bool wide = is_wide(of.element);
  const std::size_t words = wide ? static_cast<std::size_t>(program_.layout.words) : 1;
  std::vector<Int> table;
  for (const auto& set : of.sets) {
    std::vector<Word> bits(words);
    for (Int element : set) {
      const auto bit = static_cast<std::size_t>(
          of.element.elem->kind == TypeKind::card ? card_id_[static_cast<std::size_t>(element)] : element);
      bits[bit / 64] |= Word{1} << (bit % 64);
    }
    for (Word word : bits) table.push_back(static_cast<Int>(word));
  }
  return table_index(std::move(table));
}

Register Lowering::listed_set(const model::Expr& e) {
  const Int table = set_list_table(e.ref);
  Register at = expr(*e.args[0]);
  if (!is_wide(e.type)) return b().integer(Op::table, {table, at});
  if (e.args[0]->type.kind != TypeKind::listed) {          // `melds[n]`: any number
    std::vector<Int> positions(model_.set_lists[e.ref].sets.size());
    for (std::size_t i = 0; i < positions.size(); ++i) positions[i] = Int(i);
    at = b().integer(Op::table, {table_index(std::move(positions)), at});
  }
  return b().set(Op::set_table, {table, at});
}

// `melds where it within h`: what `it` lies within.
const model::Expr* Lowering::within_of(const model::Expr& list) const {
  if (list.kind != ExprKind::filter || list.args[0]->kind != ExprKind::set_list) return nullptr;
  const model::Expr& c = *list.args[1];
  const bool plain = c.kind == ExprKind::within && c.args[0]->kind == ExprKind::listed_set &&
                     c.args[0]->args[0]->kind == ExprKind::local && c.args[0]->args[0]->local == list.local &&
                     is_wide(c.args[0]->type);
  return plain && !mentions(*c.args[1], list.local) ? c.args[1] : nullptr;
}

// The elements one after the other. Of a filter nothing is stored; `body` may jump to `next` to go on.
void Lowering::for_each_listed(const model::Expr& list, const std::function<void(Register, BlockIndex)>& body) {
  if (list.kind == ExprKind::filter && !within_of(list)) {
    if (asking()) env().facts.put(list.local, fact(*list.args[0]));
    for_each_listed(*list.args[0], [&](Register element, BlockIndex next) {
      bind(list.local, element);
      BlockIndex yes = b().add_block();
      branch_on(*list.args[1], yes, next);
      b().go_to(yes);
      body(element, next);
    });
    return;
  }
  if (list.kind == ExprKind::call_function && model_.functions[list.ref].sequence) {
    HoistScope* const outer = std::exchange(hoist_, nullptr);   // its variables change
    for_each_yielded(list, body);
    hoist_ = outer;
    return;
  }
  if (list.kind == ExprKind::subsets) return for_each_subset(list, body);
  if (list.kind == ExprKind::numbers) return for_each_number(expr(*list.args[0]), expr(*list.args[1]), body);
  if (list.kind == ExprKind::set_list) return for_each_in(ir::kNoRegister, body, list.type.most);
  walk(expr(list), list.type, body);
}

// The elements of an array; without one the numbers below `count`.
void Lowering::for_each_in(Register array, const std::function<void(Register, BlockIndex)>& body, Int count) {
  const bool all = array == ir::kNoRegister;
  const Register length = all ? b().constant(count) : b().integer(Op::array_get, {array, b().constant(0)});
  Register i = b().make_int(), element = b().make(int_type(8, !all && b().type(array).holds_card));
  b().assign_constant(i, 0);
  BlockIndex head = b().add_block(), inside = b().add_block(), done = b().add_block();
  b().jump(head);
  b().go_to(head);
  b().branch(b().integer(Op::lt_small, {i, length}, 1), inside, done);
  b().go_to(inside);
  if (all) b().assign(element, i);
  fuel(all ? -count : -Int{b().type(array).length});
  b().put(Op::add_small, i, {i, b().constant(1)});
  if (!all) b().put(Op::array_get, element, {array, i});
  body(element, head);
  b().jump(head);
  b().go_to(done);
}

// From the one to the other, as these are at the beginning.
void Lowering::for_each_number(Register lo, Register hi, const std::function<void(Register, BlockIndex)>& body) {
  Register n = b().make_int(), last = b().make_int(), element = b().make_int();
  b().assign(n, lo);
  b().assign(last, hi);
  BlockIndex head = b().add_block(), inside = b().add_block(), done = b().add_block();
  b().jump(head);
  b().go_to(head);
  fuel();
  b().branch(b().integer(Op::le, {n, last}, 1), inside, done);
  b().go_to(inside);
  b().assign(element, n);
  b().put(Op::add, n, {n, b().constant(1)});
  body(element, head);
  b().jump(head);
  b().go_to(done);
}

// The sequence's code stands here, and at each `yield` what is done with the element, once more.
void Lowering::for_each_yielded(const model::Expr& call, const std::function<void(Register, BlockIndex)>& body) {
  const model::Function& f = model_.functions[call.ref];
  Env* consumer = env_;
  Env inner;
  bind_arguments(inner, f, call);
  inner.inline_return = true;
  inner.return_block = b().add_block();
  // A record's fields are handed over in locals of whoever walks through it.
  std::vector<Register> fields;
  for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(call.value); ++i) {
    const model::LocalId local{call.local.index + i};
    fields.push_back(b().make(register_type(consumer->body->locals[local.index].type)));
    bind(local, fields.back());
  }
  inner.yields = [&](const std::vector<Register>& parts) {
    BlockIndex next = b().add_block();
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (b().type(fields[i]).kind == ir::RegisterKind::array) b().effect(Op::list_copy, {fields[i], parts[i]});
      else b().assign(fields[i], parts[i]);
    }
    with_env(*consumer, [&] { body(parts[0], next); });
    b().jump(next);
    b().go_to(next);
  };
  with_env(inner, [&] {
    fuel();
    if (f.crossings && !plain_) for_each_crossing(f);
    else block(f.body.block);
  });
  b().jump(inner.return_block);
  b().go_to(inner.return_block);
}

// Subsets with so many elements, small ones first. None is stored: a list holds which places the chosen elements have.
void Lowering::for_each_subset(const model::Expr& e, const std::function<void(Register, BlockIndex)>& body) {
  const bool wide = is_wide(e.args[0]->type);
  const model::Type& element = *e.args[0]->type.elem;
  const auto room = static_cast<std::uint32_t>(wide ? 64 * program_.layout.words + 1 : 64);
  const Register elements = b().make(array_type(room, element.kind == TypeKind::card)),
                 chosen = b().make(array_type(room)), size = b().make_int(), last = b().make_int();
  const Register set = expr(*e.args[0]);
  if (asking() && holds_cards(e.args[0]->type)) need_seen(set, fact(*e.args[0]));
  b().effect(Op::array_fill, {elements, b().constant(0)});
  b().effect(Op::array_fill, {chosen, b().constant(0)});
  for_each(set, wide, [&](Register x) { b().effect(Op::list_add, {elements, x}); });
  const Register count = b().integer(Op::array_get, {elements, b().constant(0)});
  b().put(Op::max, size, {expr(*e.args[1]), b().constant(0)});
  b().put(Op::min, last, {expr(*e.args[2]), count});
  BlockIndex head = b().add_block(), first = b().add_block(), take = b().add_block(), bigger = b().add_block(),
             done = b().add_block();
  b().jump(head);
  b().go_to(head);
  b().branch(b().integer(Op::le, {size, last}, 1), first, done);
  b().go_to(first);
  b().effect(Op::first_subset, {chosen, size});
  b().jump(take);
  b().go_to(take);
  fuel();
  const Register subset = b().make(wide ? register_type(e.args[0]->type) : int_type());
  if (wide) b().put(Op::set_empty, subset, {});
  else b().assign_constant(subset, 0);
  for_each_in(chosen, [&](Register place, BlockIndex) {
    const Register x = b().make(int_type(8, b().type(elements).holds_card));
    b().put(Op::array_get, x, {elements, place});
    if (wide) b().put(Op::set_add, subset, {subset, x});
    else b().put(Op::mask_or, subset, {subset, b().integer(Op::mask_of, {x})});
  });
  const BlockIndex next = b().add_block();
  body(subset, next);
  b().jump(next);
  b().go_to(next);
  b().effect(Op::next_subset, {chosen, count});
  b().branch(b().integer(Op::le, {b().constant(0), b().integer(Op::array_get, {chosen, b().constant(0)})}, 1), take,
             bigger);
  b().go_to(bigger);
  b().put(Op::add_small, size, {size, b().constant(1)});
  b().jump(head);
  b().go_to(done);
}

// What a list is made of, one after the other, at the end of another.
void Lowering::append_all(Register list, const model::Expr& e) {
  if (e.kind == ExprKind::joined) {
    for (const model::Expr* part : e.args) append_all(list, *part);
    return;
  }
  if (e.kind != ExprKind::list_of)
    return for_each_listed(e, [&](Register element, BlockIndex) { add_element(list, e.type, element); });
  const model::Expr &domain = *e.args[0], &body = *e.args[2];
  const auto take = [&](Register element) {
    bind(e.local, element);
    if (e.value) append_all(list, body);
    else add_element(list, e.type, expr(body));
  };
  if (domain.type.kind != TypeKind::list) {
    const Register all = expr(domain);
    look_in_order(domain, all, e.local);
    const Register those = filtered(all, is_wide(domain.type), e.local, e.args[1]);
    if (e.args.size() > 3)
      return clockwise(those, expr(*e.args[3]), false, [&](Register player, BlockIndex) { take(player); });
    return for_each(those, is_wide(domain.type), take);
  }
  if (asking()) env().facts.put(e.local, fact(domain));
  for_each_listed(domain, [&](Register element, BlockIndex next) {
    bind(e.local, element);
    if (e.args[1]) {
      BlockIndex yes = b().add_block();
      branch_on(*e.args[1], yes, next);
      b().go_to(yes);
    }
    take(element);
  });
}

Register Lowering::list_operation(const model::Expr& e) {
  if (e.kind == ExprKind::list_equal) {
    const Register left = expr(*e.args[0]), right = expr(*e.args[1]);
    need_told_apart(*e.args[0], left, *e.args[1], right);
    return b().integer(Op::list_equal, {left, right}, 1);
  }
  if (e.kind == ExprKind::in_list) {
    const Register element = expr(*e.args[0]);
    const model::Type& in = *e.args[1]->type.elem;
    const Op has = is_wide(in) ? Op::list_has_set : in.kind == TypeKind::list ? Op::list_has_list : Op::list_has;
    const Register list = expr(*e.args[1]);
    need_told_apart(*e.args[0], element, *e.args[1], list);
    return b().integer(has, {list, element}, 1);
  }
  if (e.kind == ExprKind::list_end) {
    const Register list = expr(*e.args[0]), length = length_of(list);
    if (const model::Type& of = e.args[0]->type; !holds_ints(of))   // an empty one if there is none
      return element_of(list, of, e.value ? b().integer(Op::sub_small, {length, b().constant(1)}) : b().constant(0));
    const Register found = b().make(register_type(e.type));
    BlockIndex some = b().add_block(), after = b().add_block();
    b().assign_constant(found, is_mask(e.type) ? 0 : kNone);
    b().branch(length, some, after);
    b().go_to(some);
    b().put(Op::array_get, found, {list, e.value ? length : b().constant(1)});
    b().jump(after);
    b().go_to(after);
    return found;
  }
  const Register list = b().make(register_type(e.type));
  if (e.kind == ExprKind::list_of || e.kind == ExprKind::joined) {
    b().effect(Op::array_fill, {list, b().constant(0)});
    append_all(list, e);
    return list;
  }
  b().effect(Op::list_copy, {list, expr(*e.args[0])});
  if (e.kind == ExprKind::list_add) add_element(list, e.type, expr(*e.args[1]));
  if (e.kind == ExprKind::list_drop) {
    const Op drop = is_wide(*e.type.elem)                 ? Op::list_drop_set
                    : e.type.elem->kind == TypeKind::list ? Op::list_drop_list
                                                          : Op::list_drop;
    const Register dropped = expr(*e.args[1]);
    need_told_apart(*e.args[0], list, *e.args[1], dropped);
    b().effect(drop, {list, dropped});
  }
  return list;
}

// A list as a value: [0] is the length.
Register Lowering::list_value(const model::Expr& e) {
  const Register list = b().make(register_type(e.type));
  if (const model::Expr* in = within_of(e)) {
    const Register those = expr(*in);
    // which of the sets lie there says which cards do
    if (asking() && holds_cards(in->type)) need_seen(those, fact(*in));
    b().effect(Op::sets_within, {list, set_list_table(e.args[0]->ref), those});
    return list;
  }
  if (e.kind == ExprKind::filter && e.args[0]->kind != ExprKind::set_list)
    b().effect(Op::array_fill, {list, b().constant(0)});
  if (!holds_ints(e.type)) {
    for_each_listed(e, [&](Register element, BlockIndex) { add_element(list, e.type, element); });
    return list;
  }
  Register length = b().make_int();
  b().assign_constant(length, 0);
  for_each_listed(e, [&](Register element, BlockIndex) {
    b().put(Op::add_small, length, {length, b().constant(1)});
    b().effect(Op::array_set, {list, length, element});
  });
  b().effect(Op::array_set, {list, b().constant(0), length});
  return list;
}

}  // namespace cardwright::lower
