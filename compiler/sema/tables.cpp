// Tables that rules hold: `var best: int? per cell = none`. Those of the game are variables (state.cpp), those of
// attributes are taken apart (records.cpp).
#include "compiler/sema/tables.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/sema/assign.h"
#include "compiler/sema/bounds.h"
#include "compiler/sema/components.h"
#include "compiler/sema/convert.h"
#include "compiler/sema/decks.h"
#include "compiler/sema/expressions.h"
#include "compiler/sema/names.h"
#include "compiler/sema/state.h"

namespace cardwright::sema {

static Int keys_of(const SemaContext& sema, const Type& table);
static Int words_of(SemaContext& sema, const Type& entry);

// May a rule hold such a table?
bool fits_in_rule(SemaContext& sema, const Type& table, Range range) {
  constexpr Int kMostEntries = 32'768;
  const Type& entry = *table.elem;
  if (entry.kind == TypeKind::poison) return false;
  if (entry.kind == TypeKind::map || entry.kind == TypeKind::record || entry.kind == TypeKind::text ||
      entry.kind == TypeKind::list) {
    error(sema, Code::wrong_type, range,
          fmt::format("a table that a rule holds has one single thing or set for each key, and no `{}`",
                      show(sema, entry)),
          entry.kind == TypeKind::record ? "make a table for each field" : "let a variable of the table hold it");
    return false;
  }
  const Int most = kMostEntries / words_of(sema, entry);
  if (const Int count = keys_of(sema, table); count > most) {
    error(sema, Code::too_many, range, fmt::format("this table has {} entries, and {} is the limit", count, most),
          most < kMostEntries ? "a table that holds sets has fewer entries; a variable of the table may hold it" : "");
    return false;
  }
  return true;
}

// The number of words of an entry: as many as the largest set of the game.
static Int words_of(SemaContext& sema, const Type& entry) {
  if (entry.kind != TypeKind::set || !has_wide_sets(sema, *entry.elem)) return 1;
  Int most = static_cast<Int>(sema.model.kinds.size());
  if (!sema.cards.building) ensure_cards(sema);
  most = std::max(most, static_cast<Int>(sema.model.cards.size()) * 3 / 2);
  for (const model::Enum& e : sema.model.enums) most = std::max(most, static_cast<Int>(e.constants.size()));
  for (const model::Area& area : sema.model.areas) most = std::max(most, area.parts);
  return most / 64 + 1;
}

// How many there are.
static std::int64_t keys_of(const SemaContext& sema, const Type& table) {
  const Type& key = *table.key;
  if (key.kind == TypeKind::player) return sema.players;
  return key.kind == TypeKind::enumeration ? static_cast<Int>(sema.model.enums[key.ref].constants.size())
                                           : key.hi - key.lo + 1;
}

// A window's variables are there for other rules too, and lie in the State.
bool no_table_here(SemaContext& sema, const Node* node) {
  error(sema, Code::wrong_type, node->range, "a window holds no table", fmt::format("`table {{ {}: … }}`", node->text));
  return false;
}

// What a table is set to: another one, or what stands in all of its entries.
const Expr* table_or_entry(RuleContext& rule, const Expr* e, const Type& table, std::string_view name) {
  const bool whole = !is_poison(e) && e->type.kind == TypeKind::map;
  return convert_in_bounds(rule, e, whole ? table : *table.elem, name,
                           fmt::format("{}`{}`", whole ? "" : "an entry of ", name));
}

const Expr* as_table(SemaContext& sema, const Expr* e, const Type& to, std::string_view for_what) {
  const auto is_key = [](const Type& a, const Type& b) {
    return a.kind != TypeKind::integer || (a.lo == b.lo && a.hi == b.hi);
  };
  const Type &entry = *e->type.elem, &wanted = *to.elem;
  const bool may_be_none = entry.optional && !wanted.optional;
  if (is_key(*e->type.key, *to.key) && !may_be_none) return e;
  error(sema, may_be_none ? Code::may_be_none : Code::wrong_type, e->range,
        fmt::format("a `{}` is needed{}, and this is a `{}`", show(sema, to), for_what, show(sema, e->type)));
  return poison(sema, e->range);
}

// `best = other`, `best = none`
void assign_table(RuleContext& rule, const Expr* target, const Node* value, std::string_view op, Range range,
                  Block& out) {
  const std::string name = rule.body->locals[target->local.index].name;
  if (op != "=")
    return void(error(rule.sema, Code::wrong_type, range,
                      fmt::format("`{}` has many values; all of them can only be set", name),
                      fmt::format("`each k in … {{ {}[k] {} … }}`", name, op)));
  const Expr* e = table_or_entry(rule, expr(rule, value, target->type.elem.get()), target->type, name);
  if (is_poison(e)) return;
  store(rule, target, e, target->range, range, out);
}

}   // namespace cardwright::sema
