// Lowers tables that are stored in locals of rules, such as `var best: int? per cell`. In a register, a table is a list
// with exactly one element for each key, in order of keys.
#include "compiler/lower/expressions/tables.h"

#include "compiler/lower/code/list_registers.h"
#include "compiler/lower/code/types.h"
#include "compiler/lower/context/function_context.h"
#include "compiler/lower/context/hooks.h"
#include "compiler/lower/expressions/memoized_values.h"

namespace cardwright::lower {

using model::ExprKind;

static Register place_in_table(const FunctionContext& code, const model::Type& table, const model::Expr& key) {
  const Bounds of = bounds(code.unit, *table.key);
  return code.integer(Op::place_in, {expr(code, key), of.lo, of.hi - of.lo + 1});
}

Register entry_of(const FunctionContext& code, const model::Expr& e) {
  const view::element_at its(e);
  const model::Type& type = its.of()->type;
  if (its.of()->kind == ExprKind::call_value)
    if (const MemoizedValue* stored = asking(code) ? nullptr : memoized(code.unit, its.of()->ref))
      return memoized_entry(code, *stored, place_in_table(code, type, *its.indices(0)));
  const Register table = expr(code, *its.of());
  return element_of(code, table, as_list(code.unit, type), place_in_table(code, type, *its.indices(0)));
}

void set_entry(const FunctionContext& code, Register table, const model::Type& type, const model::Expr& key,
               const model::Expr& value) {
  const model::Type list = as_list(code.unit, type);
  const Register at = place_in_table(code, type, key);
  if (!holds_ints(code.unit, list)) return put_element(code, table, list, at, expr(code, value));
  code.effect(Op::array_set, {table, code.integer(Op::add, {at, code.constant(1)}), expr(code, value)});
}

// Loads all entries of a table variable.
Register load_table(const FunctionContext& code, const model::Expr& e) {
  const model::Variable& v = code.model.variables[e.ref];
  const Register table = code.make(register_type(code.unit, e.type));
  Register first = code.constant(0);
  for (std::size_t i = 0; i < e.args.size(); ++i) {
    const Bounds of = v.per_player && i == 0 ? Bounds{0, code.model.players - 1}
                                             : bounds(code.unit, v.indices[i - (v.per_player ? 1 : 0)]);
    const Int count = of.hi - of.lo + 1;
    first = code.integer(Op::add_small, {code.integer(Op::mul_small, {first, code.constant(count)}),
                                         code.integer(Op::place_in, {expr(code, *e.args[i]), of.lo, count})});
  }
  const Int most = as_list(code.unit, e.type).most;
  first = code.integer(Op::mul_small, {first, code.constant(most)});
  code.effect(is_wide(code.unit, *e.type.elem) ? Op::table_load_sets : Op::table_load,
              {table, code.unit.ids.variable[e.ref], first, most});
  return table;
}

}   // namespace cardwright::lower
