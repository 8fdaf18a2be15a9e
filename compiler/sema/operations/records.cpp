// Splits records into their fields, so later stages never see a record.
#include "compiler/sema/operations/records.h"

#include <fmt/format.h>

#include "compiler/sema/operations/locals.h"
#include "compiler/sema/operations/logic.h"
#include "compiler/sema/symbols/components.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"
#include "compiler/sema/symbols/types.h"

namespace cardwright::sema {

// Returns the type of a record, or of the records in a table or list; otherwise null.
const model::Record* record_in(const SemaContext& sema, const Type& t) {
  if (t.kind == TypeKind::record) return &sema.model.records[t.ref];
  return (t.kind == TypeKind::map || t.kind == TypeKind::list) && t.elem ? record_in(sema, *t.elem) : nullptr;
}

// Returns how a value of this type is written in the source, for messages: `Purse(gold: …, silver: …)`.
std::string as_written(const SemaContext& sema, const Type& t) {
  if (t.kind == TypeKind::list) return fmt::format("[{}, …]", as_written(sema, *t.elem));
  if (t.kind == TypeKind::map) return fmt::format("[{}: {}, …]", show(sema, *t.key), as_written(sema, *t.elem));
  std::string fields;
  for (const model::RecordField& f : sema.model.records[t.ref].fields)
    fields += fmt::format("{}{}: …", fields.empty() ? "" : ", ", f.name);
  return fmt::format("{}({})", sema.model.records[t.ref].name, fields);
}

// Replaces the record in a type with the type of one of its fields, for example in `Purse per Colour`.
static Type of_field(const Type& t, const Type& field) {
  if (t.kind == TypeKind::record) return field;
  Type out = t;
  out.elem = std::make_shared<const Type>(of_field(*t.elem, field));
  return out;
}

// Returns the variables into which a record is split: `purse.gold`, `purse.silver`. For any other type, returns the
// variable itself.
std::vector<Part> leaves_of(const SemaContext& sema, const Type& t, const std::string& name) {
  const model::Record* record = record_in(sema, t);
  if (!record) return {{name, t}};
  std::vector<Part> out;
  for (const model::RecordField& f : record->fields)
    for (Part& p : leaves_of(sema, of_field(t, f.type), name + "." + f.name)) out.push_back(std::move(p));
  return out;
}

// Adds the names of records: `purse`, and the names of those fields that are records.
void name_records(const SemaContext& sema, const Type& t, const std::string& name, Composed& out) {
  const model::Record* record = record_in(sema, t);
  if (!record) return;
  out.emplace(name, t);
  for (const model::RecordField& f : record->fields) name_records(sema, of_field(t, f.type), name + "." + f.name, out);
}

const Expr* spread(SemaContext& sema, const std::string& name, const Type& t, Range range, const Leaf& leaf) {
  const model::Record* record = record_in(sema, t);
  if (!record) return leaf(name, t);
  std::vector<const Expr*> args;
  for (const model::RecordField& f : record->fields)
    args.push_back(spread(sema, name + "." + f.name, of_field(t, f.type), range, leaf));
  return make(sema, ExprKind::record, t, range, std::move(args));
}

// Applies `leaf` recursively to the corresponding fields of several records of the same type.
const Expr* fieldwise(SemaContext& sema, const std::vector<const Expr*>& of, const Fieldwise& leaf,
                      const std::function<Type(const Type&)>& shape) {
  for (const Expr* e : of)
    if (is_poison(e)) return e;
  if (of[0]->kind != ExprKind::record) return leaf(of);
  std::vector<const Expr*> args;
  for (std::size_t i = 0; i < of[0]->args.size(); ++i) {
    std::vector<const Expr*> field;
    for (const Expr* e : of) field.push_back(model::view::record(e).fields(i));
    args.push_back(fieldwise(sema, field, leaf, shape));
    if (is_poison(args.back())) return args.back();
  }
  return make(sema, ExprKind::record, shape ? shape(of[0]->type) : of[0]->type, of[0]->range, std::move(args));
}

std::vector<const Expr*> fields_of(const Expr* e) {
  if (!e || e->kind != ExprKind::record) return {e};
  std::vector<const Expr*> out;
  for (const Expr* a : e->args)
    for (const Expr* leaf : fields_of(a)) out.push_back(leaf);
  return out;
}

// Returns the field `gold` or `inner.gold` of a record.
const Expr* field_at(const SemaContext& sema, const Expr* e, std::string_view path) {
  if (is_poison(e) || e->kind != ExprKind::record) return e;
  const std::vector<Part> names = leaves_of(sema, e->type, "");
  const std::vector<const Expr*> fields = fields_of(e);
  for (std::size_t i = 0; i < fields.size(); ++i)
    if (std::string_view(names[i].name).substr(1) == path) return fields[i];
  return nullptr;
}

// Returns whether the expression has no effect. Otherwise, reports an error, because a record is evaluated once for
// each field.
bool has_no_effects(SemaContext& sema, const Expr* e) {
  if (is_poison(e) || pure_expr(*e)) return true;
  error(sema, "wrong_type"_code, e->range, "an expression with an effect can't be part of a record");
  return false;
}

// Rebuilds a record from its locals, so that the narrowed types of its fields apply.
const Expr* again(RuleContext& rule, const Expr* record, Range range) {
  return fieldwise(rule.sema, {record}, [&](const auto& x) {
    return x[0]->kind == ExprKind::local ? local(rule, x[0]->local, range) : x[0];
  });
}

std::vector<std::string> names_of_keys(const SemaContext& sema, const Type& key) {
  std::vector<std::string> names;
  if (key.kind == TypeKind::enumeration)
    for (const model::EnumConst& c : sema.model.enums[key.ref].constants) names.push_back(c.name);
  if (key.kind == TypeKind::integer)
    for (Int n = key.lo; n <= key.hi; ++n) names.push_back(std::to_string(n));
  return names;
}

std::vector<Part> attribute_leaves(const SemaContext& sema, const Type& t, const std::string& name,
                                   std::string_view unit) {
  std::vector<Part> out;
  const auto add = [&](std::string_view more, const Type& of, std::string_view in) {
    for (Part& p : attribute_leaves(sema, of, fmt::format("{}.{}", name, more), in)) out.push_back(std::move(p));
  };
  if (t.kind == TypeKind::map) {
    for (const std::string& key : names_of_keys(sema, *t.key)) add(key, *t.elem, unit);
  } else if (t.kind == TypeKind::record) {
    const auto& fields = sema.model.records[t.ref].fields;
    for (std::size_t i = 0; i < fields.size(); ++i)
      add(fields[i].name, fields[i].type, sema.records.infos[t.ref].units[i]);
  } else {
    out.push_back({name, t, unit});
  }
  return out;
}

// Returns the type of the record or table attribute with this name from the card type, its base types or its derived
// types. If no card type is given, searches all card types.
const Type* composed_attribute(const SemaContext& sema, std::uint32_t type, std::string_view name) {
  for (std::uint32_t t = 0; t < sema.types.cards.size(); ++t) {
    auto it = sema.types.cards[t].composed.find(name);
    if (it != sema.types.cards[t].composed.end() &&
        (type >= sema.types.cards.size() || is_a(sema, type, t) || is_a(sema, t, type)))
      return &it->second;
  }
  return nullptr;
}

const Type* composed_of_enum(const SemaContext& sema, std::uint32_t id, std::string_view name) {
  auto of = sema.records.of_enums.find(id);
  if (of == sema.records.of_enums.end()) return nullptr;
  auto it = of->second.find(name);
  return it == of->second.end() ? nullptr : &it->second;
}

const Expr* composed_member(SemaContext& sema, const std::string& name, const Type& t, Range range,
                            const std::function<const Expr*(const std::string&)>& leaf) {
  if (t.kind == TypeKind::record) {
    std::vector<const Expr*> args;
    for (const model::RecordField& f : sema.model.records[t.ref].fields) {
      args.push_back(composed_member(sema, name + "." + f.name, f.type, range, leaf));
      if (is_poison(args.back())) return args.back();
    }
    return make(sema, ExprKind::record, t, range, std::move(args));
  }
  if (t.kind != TypeKind::map) return leaf(name);
  std::vector<const Expr*> entries;
  for (const std::string& key : names_of_keys(sema, *t.key))
    entries.push_back(composed_member(sema, name + "." + key, *t.elem, range, leaf));
  const auto table = [&](const Type& of) {
    Type m = t;
    m.elem = std::make_shared<const Type>(of);
    return m;
  };
  return fieldwise(
      sema, entries,
      [&](const std::vector<const Expr*>& x) {
        return make(sema, ExprKind::list_literal, table(x[0]->type), range, x);
      },
      table);
}

// Builds `w.jam[c]`: an entry of a table that is stored as attributes.
const Expr* entry_of(SemaContext& sema, const Expr* table, const Expr* key, Range range) {
  const Type& by = *table->type.key;
  const Int first = by.kind == TypeKind::integer ? by.lo : 0;
  if (key->kind == ExprKind::constant && key->value >= first &&
      key->value - first < static_cast<Int>(table->args.size()))
    return model::view::list_literal(table).elements(static_cast<std::size_t>(key->value - first));
  if (first != 0)
    key = make(sema, ExprKind::subtract, integer_type(), range, {key, integer_constant(sema, first, range)});
  const Expr* list =
      make(sema, ExprKind::list_literal, list_type(*table->type.elem, static_cast<Int>(table->args.size())),
           table->range, table->args);
  return make(sema, ExprKind::element_at, *table->type.elem, range, {list, key});
}

bool is_record_list(const SemaContext& sema, const Type& t) { return t.kind == TypeKind::list && record_in(sema, t); }

}   // namespace cardwright::sema
