#include "compiler/lower/sets/attributes.h"

#include <algorithm>

#include "compiler/lower/code/constants.h"
#include "compiler/lower/context/function_context.h"
#include "compiler/lower/context/hooks.h"
#include "compiler/lower/sets/knowledge.h"

namespace cardwright::lower {

using model::ExprKind;
using model::TypeKind;

// Returns the attribute of each card or constant.
static std::vector<Int> printed(const ProgramContext& unit, const model::Expr& e) {
  const model::Type& of = view::attribute(e).of()->type;
  std::vector<Int> values;
  if (of.kind == TypeKind::card) {
    const Int lacking = is_mask(unit, e.type) ? 0 : kNone;   // for a card without the attribute, the set is empty
    for (Int card : unit.ids.card) {
      const Int value = card < 0 ? kNone : unit.model.cards[card].attributes[e.ref];
      values.push_back(value == kNone ? lacking : value);
    }
    return values;
  }
  const model::Enum& en = unit.model.enums[of.ref];
  std::size_t position = 0;
  while (position < en.attributes.size() && en.attributes[position].index != e.ref) ++position;
  for (const model::EnumConst& c : en.constants)
    values.push_back(position < c.attributes.size() ? c.attributes[position] : kNone);
  return values;
}

// Returns whether the expression is a table such as `a.road`, whose entries are attributes of a single object.
bool is_printed_table(const model::Expr& e) {
  if (e.kind != ExprKind::list_literal || e.args.empty() || e.args.front()->kind != ExprKind::attribute) return false;
  const model::Expr* thing = view::attribute(e.args.front()).of();
  return !thing->type.optional && std::all_of(e.args.begin(), e.args.end(), [&](const model::Expr* a) {
    return a->kind == ExprKind::attribute && view::attribute(a).of() == thing;
  });
}

// Lowers `a.road[b]`: all entries of all objects are stored in one table, row by row.
Register printed_entry(const FunctionContext& code, const model::Expr& e) {
  const std::vector<const model::Expr*>& columns = view::element_at(e).of()->args;
  std::vector<std::vector<Int>> by_column;
  for (const model::Expr* column : columns) by_column.push_back(printed(code.unit, *column));
  std::vector<Int> rows, keys, entries;
  for (std::size_t row = 0; row < by_column[0].size(); ++row) {
    rows.push_back(Int(row * columns.size()));
    for (const std::vector<Int>& column : by_column) entries.push_back(column[row]);
  }
  for (std::size_t key = 0; key < columns.size(); ++key) keys.push_back(Int(key));   // other keys cause a trap
  const model::Expr &thing = *view::attribute(columns.front()).of(), &place = *view::element_at(e).indices(0);
  const Register row = code.integer(Op::table, {table_index(code.unit, std::move(rows)), card_seen(code, thing)});
  const Register key = code.integer(Op::table, {table_index(code.unit, std::move(keys)), expr(code, place)});
  return code.integer(Op::table, {table_index(code.unit, std::move(entries)), code.integer(Op::add, {row, key})});
}

Register attribute(const FunctionContext& code, const model::Expr& e) {
  const view::attribute its(e);
  Register of = card_seen(code, *its.of());
  const Register found = code.integer(Op::table, {table_index(code.unit, printed(code.unit, e)), of});
  if (!is_mask(code.unit, e.type) || !its.of()->type.optional) return found;
  // If the object is none, the result is the empty set.
  return code.integer(Op::select, {code.integer(Op::eq, {of, code.constant(kNone)}, 1), code.constant(0), found});
}

}   // namespace cardwright::lower
