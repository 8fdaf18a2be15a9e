// Tables that rules hold: `var best: int? per cell = none`. Those of the game are variables (state.cpp), those of
// attributes are taken apart (records.cpp).
#include "compiler/sema/analysis.h"

namespace cardwright::sema {

// May a rule hold such a table?
bool Analysis::fits_in_rule(const Type& table, Range range) {
  constexpr Int kMostEntries = 4096;
  const Type& entry = *table.elem;
  if (entry.kind == TypeKind::poison) return false;
  if (entry.kind == TypeKind::map || entry.kind == TypeKind::record || entry.kind == TypeKind::text ||
      entry.kind == TypeKind::list) {
    error(Code::wrong_type, range,
          fmt::format("a table that a rule holds has one single thing or set for each key, and no `{}`", show(entry)),
          entry.kind == TypeKind::record ? "make a table for each field" : "let a variable of the table hold it");
    return false;
  }
  if (const Int count = keys_of(table); count > kMostEntries) {
    error(Code::too_many, range, fmt::format("this table has {} entries, and {} is the limit", count, kMostEntries));
    return false;
  }
  return true;
}

// How many there are.
std::int64_t Analysis::keys_of(const Type& table) const {
  const Type& key = *table.key;
  if (key.kind == TypeKind::player) return players_;
  return key.kind == TypeKind::enumeration ? static_cast<Int>(model_->enums[key.ref].constants.size())
                                           : key.hi - key.lo + 1;
}

// A window's variables are there for other rules too, and lie in the State.
bool Analysis::no_table_here(const Node* node) {
  error(Code::wrong_type, node->range, "a window holds no table", fmt::format("`table {{ {}: … }}`", node->text));
  return false;
}

// What a table is set to: another one, or what stands in all of its entries.
const Expr* Analysis::table_or_entry(const Expr* e, const Type& table, std::string_view name) {
  return convert(e, !is_poison(e) && e->type.kind == TypeKind::map ? table : *table.elem, name);
}

const Expr* Analysis::as_table(const Expr* e, const Type& to, std::string_view for_what) {
  const auto is_key = [](const Type& a, const Type& b) {
    return a.kind != TypeKind::integer || (a.lo == b.lo && a.hi == b.hi);
  };
  const Type &entry = *e->type.elem, &wanted = *to.elem;
  const bool may_be_none = entry.optional && !wanted.optional;
  if (is_key(*e->type.key, *to.key) && !may_be_none) return e;
  error(may_be_none ? Code::may_be_none : Code::wrong_type, e->range,
        fmt::format("a `{}` is needed{}, and this is a `{}`", show(to), for_what, show(e->type)));
  return poison(e->range);
}

// `best = other`, `best = none`
void Analysis::assign_table(const Expr* target, const Node* value, std::string_view op, Range range, Block& out) {
  const std::string name = rule_->body->locals[target->local.index].name;
  if (op != "=")
    return void(error(Code::wrong_type, range, fmt::format("`{}` has many values; all of them can only be set", name),
                      fmt::format("`each k in … {{ {}[k] {} … }}`", name, op)));
  const Expr* e = table_or_entry(expr(value, target->type.elem.get()), target->type, name);
  if (is_poison(e)) return;
  rule_->narrowed.clear();
  store(target, e, target->range, range, out);
}

}  // namespace cardwright::sema
