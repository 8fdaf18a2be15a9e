// Adds tables, constant sets and strings to the Program, and evaluates constant expressions.
#include "compiler/lower/code/constants.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/lower/code/limits.h"
#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

using model::ExprKind;

Int table_index(ProgramContext& unit, std::vector<Int> values) {
  auto [it, fresh] = unit.ids.tables.emplace(values, static_cast<Int>(unit.program.playout.tables.size()));
  if (fresh) unit.program.playout.tables.push_back(std::move(values));
  return it->second;
}

bool fits_table(ProgramContext& unit, Range where, std::string_view what, Int sets) {
  constexpr Int kMostInTable = 4'194'304;
  const Int words = unit.program.layout.words;
  if (sets * words <= kMostInTable) return true;
  too_large(unit, where,
            fmt::format("{} needs a table of {} sets with {} words each; the limit is {} sets", what, sets, words,
                        kMostInTable / words));
  return false;
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

Int constant_value(const ProgramContext& unit, const model::Expr& e) {
  if (e.kind == ExprKind::set_constant) {
    Int mask = 0;
    for (Int v : e.values) mask |= Int{1} << (v & 63);
    return mask;
  }
  return static_value(unit, nullptr, e, model::LocalId{}, -1).value_or(0);
}

Int text_index(ProgramContext& unit, const std::string& text) {
  auto& all = unit.program.playout.texts;
  auto at = std::find(all.begin(), all.end(), text);
  if (at == all.end()) at = all.insert(all.end(), text);
  return at - all.begin();
}

}   // namespace cardwright::lower
