// Checks local variables that are tables, such as `var best: int? per cell = none`, and converts the values assigned to
// them. Tables of the game are variables of the State, and tables that are attributes are split into one attribute for
// each key.
#include "compiler/sema/operations/tables.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/sema/operations/convert.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"
#include "compiler/sema/symbols/types.h"

namespace cardwright::sema {

static Int keys_of(const SemaContext& sema, const Type& table);
static Int words_of(SemaContext& sema, const Type& entry);

// Checks that a local variable can store a table of this type.
bool fits_in_rule(SemaContext& sema, const Type& table, Range range) {
  constexpr Int kMostEntries = 32'768;
  const Type& entry = *table.elem;
  if (entry.kind == TypeKind::poison) return false;
  if (entry.kind == TypeKind::map || entry.kind == TypeKind::record || entry.kind == TypeKind::text ||
      entry.kind == TypeKind::list) {
    error(sema, "wrong_type"_code, range,
          fmt::format("entries of a local table must be single values or sets, not `{}`", show(sema, entry)),
          entry.kind == TypeKind::record ? "declare a table for each field"
                                         : "declare a variable in `table { … }` instead");
    return false;
  }
  const Int most = kMostEntries / words_of(sema, entry);
  if (const Int count = keys_of(sema, table); count > most) {
    error(sema, "limit_exceeded"_code, range, fmt::format("this table has {} entries; the limit is {}", count, most),
          most < kMostEntries ? "the limit is lower for tables of sets; declare a variable in `table { … }` instead"
                              : "");
    return false;
  }
  return true;
}

// Returns the number of words that an entry needs: the size of the largest set in the game for sets that do not fit
// into one word, otherwise 1.
static Int words_of(SemaContext& sema, const Type& entry) {
  if (entry.kind != TypeKind::set || !has_wide_sets(sema, *entry.elem)) return 1;
  Int most = static_cast<Int>(sema.model.kinds.size());
  if (!sema.cards.building) sema.builders.cards(sema);
  most = std::max(most, static_cast<Int>(sema.model.cards.size()) * 3 / 2);
  for (const model::Enum& e : sema.model.enums) most = std::max(most, static_cast<Int>(e.constants.size()));
  for (const model::Area& area : sema.model.areas) most = std::max(most, area.parts);
  return most / 64 + 1;
}

// Returns the number of keys of a table.
static std::int64_t keys_of(const SemaContext& sema, const Type& table) {
  const Type& key = *table.key;
  if (key.kind == TypeKind::player) return sema.players;
  return key.kind == TypeKind::enumeration ? static_cast<Int>(sema.model.enums[key.ref].constants.size())
                                           : key.hi - key.lo + 1;
}

// Reports a table declared in a window. The variables of a window are part of the State, which can't store such tables.
bool no_table_here(SemaContext& sema, const Node* node) {
  error(sema, "wrong_type"_code, node->range, "a window can't contain a table",
        fmt::format("declare it in `table {{ {}: … }}`", node->text));
  return false;
}

// Converts a value that is assigned to a table. The value is either another table or a value for all entries.
const Expr* table_or_entry(RuleContext& rule, const Expr* e, const Type& table, std::string_view name) {
  const bool whole = !is_poison(e) && e->type.kind == TypeKind::map;
  return convert_in_bounds(rule, e, whole ? table : *table.elem, name,
                           fmt::format("{}`{}`", whole ? "" : "an entry of ", name));
}

}   // namespace cardwright::sema
