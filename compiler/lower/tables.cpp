// Tables that rules hold: `var best: int? per cell`. In a register a table is a list that always has an element for
// each key, in their order.
#include "compiler/lower/lowering.h"

namespace cardwright::lower {

using model::ExprKind;
using model::TypeKind;

model::Type Lowering::as_list(const model::Type& table) const {
  const Bounds key = bounds(*table.key);
  model::Type list = simple(TypeKind::list);
  list.elem = table.elem;
  list.most = key.hi - key.lo + 1;
  return list;
}

void Lowering::fill_table(Register table, const model::Type& type, Register entry) {
  const model::Type list = as_list(type);
  const bool ints = holds_ints(list);
  b().effect(Op::array_fill, {table, ints ? entry : b().constant(0)});
  b().effect(Op::array_set, {table, b().constant(0), b().constant(list.most * each_of(list))});
  if (ints) return;
  const Register place = b().make_int();
  b().assign_constant(place, -1);
  const BlockIndex head = b().add_block(), inside = b().add_block(), done = b().add_block();
  b().jump(head);
  b().go_to(head);
  fuel(-list.most);
  b().put(Op::add_small, place, {place, b().constant(1)});
  b().branch(b().integer(Op::lt_small, {place, b().constant(list.most)}, 1), inside, done);
  b().go_to(inside);
  put_element(table, list, place, entry);
  b().jump(head);
  b().go_to(done);
}

Register Lowering::place_in_table(const model::Type& table, const model::Expr& key) {
  const Int least = bounds(*table.key).lo;
  const Register at = expr(key);
  return least == 0 ? at : b().integer(Op::sub, {at, b().constant(least)});
}

Register Lowering::entry_of(const model::Expr& e) {
  const model::Type& type = e.args[0]->type;
  if (e.args[0]->kind == ExprKind::call_value)
    if (const Kept* stored = asking() ? nullptr : kept(e.args[0]->ref))
      return kept_entry(*stored, place_in_table(type, *e.args[1]));
  const Register table = expr(*e.args[0]);
  return element_of(table, as_list(type), place_in_table(type, *e.args[1]));
}

void Lowering::set_entry(Register table, const model::Type& type, const model::Expr& key, const model::Expr& value) {
  const model::Type list = as_list(type);
  const Register at = place_in_table(type, key);
  if (!holds_ints(list)) return put_element(table, list, at, expr(value));
  b().effect(Op::array_set, {table, b().integer(Op::add, {at, b().constant(1)}), expr(value)});
}

// A table variable as it stands, all of it.
Register Lowering::load_table(const model::Expr& e) {
  const model::Variable& v = model_.variables[e.ref];
  const Register table = b().make(register_type(e.type));
  Register first = b().constant(0);
  for (std::size_t i = 0; i < e.args.size(); ++i) {
    const Bounds of =
        v.per_player && i == 0 ? Bounds{0, model_.players - 1} : bounds(v.indices[i - (v.per_player ? 1 : 0)]);
    const Int count = of.hi - of.lo + 1;
    first = b().integer(Op::add_small, {b().integer(Op::mul_small, {first, b().constant(count)}),
                                        b().integer(Op::place_in, {expr(*e.args[i]), of.lo, count})});
  }
  const Int most = as_list(e.type).most;
  first = b().integer(Op::mul_small, {first, b().constant(most)});
  b().effect(is_wide(*e.type.elem) ? Op::table_load_sets : Op::table_load, {table, variable_of_[e.ref], first, most});
  return table;
}

}  // namespace cardwright::lower
