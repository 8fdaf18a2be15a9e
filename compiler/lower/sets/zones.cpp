// Lowers zones, variables with keys, and attributes printed on cards.
#include "compiler/lower/sets/zones.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "compiler/lower/expressions/three_valued.h"
#include "compiler/lower/sets/boards.h"
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
#include "compiler/lower/race/race.h"
#include "compiler/lower/statements/statements.h"
#include "compiler/lower/sets/tables.h"
#include "compiler/lower/rules/watch.h"

namespace cardwright::lower {

using model::ExprKind;
using model::TypeKind;

// ---------------------------------------------------------------- zone instances

Register zone_instance(const FunctionContext& code, std::uint32_t zone, const model::Expr* owner,
                       const model::Expr* copy) {
  const ZoneSlot& slot = code.program.zones[zone];
  if (slot.owners == 1 && slot.copies == 1) return code.constant(slot.first);
  Register o = owner ? expr(code, *owner) : code.constant(0);
  Register c = copy ? expr(code, *copy) : code.constant(0);
  return code.integer(Op::zone_index, {Int(zone), o, c}, 1);
}

Register zone_instance(const FunctionContext& code, model::ZoneId zone, Register owner) {
  const ZoneSlot& slot = code.program.zones[zone.index];
  if (slot.owners == 1) return code.constant(slot.first);
  return code.integer(Op::zone_index, {Int(zone.index), owner, code.constant(0)}, 1);
}

Register facedown_instance(const FunctionContext& code, std::uint32_t zone, Register instance) {
  const Int offset = code.program.zones[code.unit.ids.facedown_zone[zone]].first - code.program.zones[zone].first;
  return code.integer(Op::add_small, {instance, code.constant(offset)}, 1);
}

Register zone_of(const FunctionContext& code, const model::Expr& e) {
  const Register card = expr(code, e);
  if (asking(code) && !fact(code, e).placed) need(code, knows_all(code, code.set(Op::set_of, {card})));
  return code.integer(Op::zone_of, {card, guess(code, e)});
}

Register zone_set(const FunctionContext& code, std::uint32_t zone, Register instance) {
  Register cards = code.set(Op::zone_cards, {instance});
  if (code.unit.ids.facedown_zone[zone] < 0) return cards;
  return code.set(Op::set_or, {cards, code.set(Op::zone_cards, {facedown_instance(code, zone, instance)})});
}

Register top_instance(const FunctionContext& code, std::uint32_t zone, Register instance) {
  // both sides form one pile
  if (code.unit.ids.facedown_zone[zone] < 0 || code.program.layout.instance[code.program.zones[zone].first].ordered)
    return instance;
  return code.integer(Op::select,
                      {code.integer(Op::set_any, {code.set(Op::zone_cards, {instance})}, 1), instance,
                       facedown_instance(code, zone, instance)},
                      1);
}

// Returns the expression of the part's index from 0, or null if there is none. Parts are numbered from 1: the part of a
// player or a constant is the index of that player or constant plus one.
const model::Expr* counted_from_nought(const model::Expr& part) {
  if (part.kind == ExprKind::part_of_constant) return view::part_of_constant(part).element();
  if (part.kind != ExprKind::part_at || part.value != 1) return nullptr;
  const model::Expr& number = *view::part_at(part).number();
  return number.kind == ExprKind::constant && number.value == 1 ? view::part_at(part).owner() : nullptr;
}

Register flat_index(const FunctionContext& code, const model::Variable& variable,
                    const std::vector<const model::Expr*>& args, std::size_t first) {
  const std::size_t dimensions = variable.indices.size() + (variable.per_player ? 1 : 0);
  Register index = ir::kNoRegister;
  std::size_t at = first;
  const auto add = [&](const Bounds& bound) {
    const Int count = bound.hi - bound.lo + 1;
    const model::Expr& said = *args[at++];
    const model::Expr* from_nought = dimensions > 1 || code.unit.plain ? nullptr : counted_from_nought(said);
    Register i = expr(code, from_nought ? *from_nought : said);
    // An index outside its own dimension must not reach into the next row; a single index is checked where it is used.
    if (dimensions > 1)
      i = code.integer(Op::place_in, {i, bound.lo, count});
    else if (bound.lo != 0 && !from_nought)
      i = code.integer(Op::sub_small, {i, code.constant(bound.lo)});
    index = index == ir::kNoRegister
                ? i
                : code.integer(Op::add_small, {code.integer(Op::mul_small, {index, code.constant(count)}), i});
  };
  if (variable.per_player) add({0, code.model.players - 1});
  for (const model::Type& dimension : variable.indices) add(bounds(code.unit, dimension));
  return index == ir::kNoRegister ? code.constant(0) : index;
}

// Returns the index at which the knowledge of a secret variable is stored; for a list, that of its first element.
Register known_at(const FunctionContext& code, std::uint32_t variable, const std::vector<const model::Expr*>& args,
                  std::size_t first) {
  const Register index = flat_index(code, code.model.variables[variable], args, first);
  const Int run = code.program.variable_infos[code.unit.ids.variable[variable]].run();
  return run > 0 ? code.integer(Op::mul_small, {index, code.constant(run)}) : index;
}

// Returns the attribute of each card or constant.
static std::vector<Int> printed(const ProgramContext& unit, const model::Expr& e) {
  const model::Type& of = view::attribute(e).of()->type;
  std::vector<Int> values;
  if (of.kind == TypeKind::card) {
    const Int lacking = is_mask(unit, e.type) ? 0 : kNone;   // a card without the attribute has an empty set of it
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
  for (std::size_t key = 0; key < columns.size(); ++key) keys.push_back(Int(key));   // other keys trap
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
  // for none, the result is the empty set
  return code.integer(Op::select, {code.integer(Op::eq, {of, code.constant(kNone)}, 1), code.constant(0), found});
}

}   // namespace cardwright::lower
