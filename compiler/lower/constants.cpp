// What is known when compiling: tables, constant sets, and whether an expression only looks.
#include "compiler/lower/constants.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "compiler/lower/asked.h"
#include "compiler/lower/boards.h"
#include "compiler/lower/choices.h"
#include "compiler/lower/events.h"
#include "compiler/lower/explain.h"
#include "compiler/lower/guesses.h"
#include "compiler/lower/layout.h"
#include "compiler/lower/lists.h"
#include "compiler/lower/log.h"
#include "compiler/lower/masks.h"
#include "compiler/lower/metadata.h"
#include "compiler/lower/offers.h"
#include "compiler/lower/pieces.h"
#include "compiler/lower/race.h"
#include "compiler/lower/statements.h"
#include "compiler/lower/tables.h"
#include "compiler/lower/watch.h"

namespace cardwright::lower {

using model::ExprKind;
using model::TypeKind;

// ---------------------------------------------------------------- constants

Int table_index(ProgramContext& unit, std::vector<Int> values) {
  auto [it, fresh] = unit.ids.tables.emplace(values, static_cast<Int>(unit.program.playout.tables.size()));
  if (fresh) unit.program.playout.tables.push_back(std::move(values));
  return it->second;
}

Int set_index(ProgramContext& unit, std::vector<Word> bits) {
  bits.resize(unit.program.layout.words);
  auto& sets = unit.program.playout.sets;
  auto it = std::find(sets.begin(), sets.end(), bits);
  if (it != sets.end()) return it - sets.begin();
  sets.push_back(std::move(bits));
  return static_cast<Int>(sets.size() - 1);
}

Register const_cards(const FunctionContext& code, const std::vector<Int>& ids) {
  std::vector<Word> bits(code.program.layout.words);
  for (Int id : ids) bits[id / 64] |= Word{1} << (id % 64);
  return code.set(Op::const_set, {set_index(code.unit, std::move(bits))});
}

std::vector<Int> cards_of_kinds(const ProgramContext& unit, const std::vector<model::KindId>& kinds) {
  std::vector<Int> numbers;
  for (const model::KindId k : kinds) numbers.push_back(k.index);
  return cards_of_kinds(unit, numbers);
}
std::vector<Int> cards_of_kinds(const ProgramContext& unit, const std::vector<Int>& kinds) {
  std::vector<Int> ids;
  for (std::size_t c = 0; c < unit.model.cards.size(); ++c)
    if (std::find(kinds.begin(), kinds.end(), Int(unit.model.cards[c].kind.index)) != kinds.end())
      ids.push_back(unit.ids.of_card[c]);
  return ids;
}

Int constant_value(const ProgramContext& unit, const model::Expr& e) {
  if (e.kind == ExprKind::set_constant) {
    Int mask = 0;
    for (Int v : e.values) mask |= Int{1} << (v & 63);
    return mask;
  }
  return static_value(unit, nullptr, e, model::LocalId{}, -1).value_or(0);
}

bool mentions(const model::Expr& e, model::LocalId local) {
  if (e.kind == ExprKind::local && e.local == local) return true;
  return std::any_of(e.args.begin(), e.args.end(), [&](const model::Expr* a) { return a && mentions(*a, local); });
}

// May it be computed early or twice: no effect, no chance. (It may still trap.)
bool pure(const ProgramContext& unit, const model::Expr& e) {
  switch (e.kind) {
    case ExprKind::zone_top:
    case ExprKind::zone_bottom: return unit.facts.always_ordered[e.ref];
    case ExprKind::call_event:
    case ExprKind::open_window:
    case ExprKind::proceed:
    case ExprKind::may:
    case ExprKind::roll:
    case ExprKind::pick_random:
    case ExprKind::random_n:
    case ExprKind::supposing:
    case ExprKind::latency:
    case ExprKind::zone_top_n:
    case ExprKind::text: return false;
    default:
      return std::all_of(e.args.begin(), e.args.end(), [&unit](const model::Expr* a) { return !a || pure(unit, *a); });
  }
}

}  // namespace cardwright::lower
