// Builds records, which group several fields under one name. Records are split into their fields here, so later stages
// never see a record. A variable `purse` becomes the variables `purse.gold` and `purse.silver`; parameters, `let`s and
// attributes are split in the same way. A function that returns a record becomes one function for each field. An
// expression of kind ExprKind::record contains one expression for each field, and operations apply to each of them.
#include "compiler/sema/expressions/records.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/sema/operations/convert.h"
#include "compiler/sema/expressions/evaluate.h"
#include "compiler/sema/expressions/expressions.h"
#include "compiler/sema/expressions/type_names.h"
#include "compiler/sema/operations/records.h"
#include "compiler/sema/options/collect.h"
#include "compiler/sema/options/units.h"
#include "compiler/sema/options/written.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"
#include "compiler/sema/symbols/types.h"

namespace cardwright::sema {

static const Expr* initial_of_field(SemaContext& sema, std::uint32_t record, std::size_t field);
static void written_parts(SemaContext& sema, const Type& t, const std::string& name, const Node* value,
                          std::vector<WrittenPart>& out);

// ---------------------------------------------------------------- expressions

// Returns the values of the fields in declaration order. They are positional arguments, named arguments or, for fields
// without an argument, initial values.
static std::vector<const Node*> given_fields(SemaContext& sema, const Node* node, std::uint32_t id) {
  build_record(sema, id);
  const model::Record& record = sema.model.records[id];
  std::vector<const Node*> given(record.fields.size(), nullptr);
  std::size_t at = 0;
  bool good = true;
  const auto wrong = [&](Range range, std::string message, std::string help = {}) {
    error(sema, "wrong_arguments"_code, range, std::move(message), std::move(help)), good = false;
  };
  for (const Node* a :
       view::call(node).arguments() ? view::call(node).arguments()->children : std::span<Node* const>{}) {
    if (!a) continue;
    const bool named = a->kind == NodeKind::arg && !a->text.empty();
    const auto is = [&](const model::RecordField& f) { return f.name == a->text; };
    const std::size_t i = named
                              ? static_cast<std::size_t>(std::find_if(record.fields.begin(), record.fields.end(), is) -
                                                         record.fields.begin())
                              : at;
    std::vector<std::string> names;
    for (const model::RecordField& f : record.fields) names.push_back(f.name);
    if (i >= given.size() && named)
      wrong(a->range, fmt::format("`{}` has no field `{}`", record.name, a->text), did_you_mean(a->text, names));
    else if (i >= given.size())
      wrong(a->range, fmt::format("too many values: `{}` has {} field{}", record.name, given.size(),
                                  given.size() == 1 ? "" : "s"));
    else if (given[i])
      wrong(a->range, fmt::format("duplicate field `{}`", record.fields[i].name));
    else
      given[i] = a->kind == NodeKind::arg ? view::arg(a).value() : a;
    at = i + 1;
  }
  for (std::size_t i = 0; i < given.size() && good; ++i) {
    if (!given[i]) given[i] = sema.records.infos[id].initial[i];
    if (!given[i] && !has_initial_value(sema, with_ref(TypeKind::record, id), record.fields[i].name))
      wrong(node->range, fmt::format("`{}` is missing the field `{}`", record.name, record.fields[i].name));
  }
  if (!good) given.clear();
  return given;
}

// Builds `Purse(gold: 3)`.
const Expr* construct(RuleContext& rule, const Node* node, std::uint32_t id) {
  rule.sema.used.insert("record " + rule.model.records[id].name);
  const std::vector<const Node*> given = given_fields(rule.sema, node, id);
  if (given.empty()) return poison(rule.sema, node->range);
  std::vector<const Expr*> args;
  bool good = true;
  const std::string record_name = rule.model.records[id].name;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const model::RecordField field = rule.model.records[id].fields[i];
    args.push_back(given[i] && given[i] != rule.sema.records.infos[id].initial[i]
                       ? convert_in_bounds(rule, expr(rule, given[i], &field.type), field.type, field.name,
                                           fmt::format("`{}` of `{}`", field.name, record_name))
                       : initial_of_field(rule.sema, id, i));
    good = good && !is_poison(args.back());
  }
  return good ? make(rule.sema, ExprKind::record, with_ref(TypeKind::record, id), node->range, std::move(args))
              : poison(rule.sema, node->range);
}

// Returns the initial value of a field, or null if the field has none. It is a constant, so it can be used in any body.
static const Expr* initial_of_field(SemaContext& sema, std::uint32_t id, std::size_t field) {
  const model::RecordField f = sema.model.records[id].fields[field];
  const Node* node = sema.records.infos[id].initial[field];
  if (!node && f.type.kind == TypeKind::record) return initial_of(sema, f.type);
  if (!node && f.type.kind == TypeKind::set) return make(sema, ExprKind::set_constant, f.type, f.range);
  if (!node && f.type.kind == TypeKind::list) return make(sema, ExprKind::list_literal, f.type, f.range);
  if (!node) return f.type.optional ? constant(sema, f.type, kNone, f.range) : nullptr;
  RuleContext rule(sema);
  rule.body = &sema.scratch.emplace_back();
  rule.pure = true;
  const Expr* e = nullptr;
  e = fieldwise(sema, {convert_in_bounds(rule, expr(rule, node, &f.type), f.type, f.name)},
                [&](const auto& x) { return known(sema, x[0], f.name); });
  return e;
}

// Returns whether the field has an initial value or a type with a default (optional types, sets and lists). If the
// field is a record, this must be true for all of its fields.
bool has_initial_value(const SemaContext& sema, const Type& record, std::string_view part) {
  const std::vector<model::RecordField>& fields = sema.model.records[record.ref].fields;
  const std::string_view name = part.substr(0, part.find('.'));
  const auto is = [&](const model::RecordField& f) { return f.name == name; };
  const std::size_t i = static_cast<std::size_t>(std::find_if(fields.begin(), fields.end(), is) - fields.begin());
  if (i == fields.size()) return false;
  const Type& type = fields[i].type;
  if (sema.records.infos[record.ref].initial[i] || type.optional || type.kind == TypeKind::set ||
      type.kind == TypeKind::list)
    return true;
  if (type.kind != TypeKind::record) return false;
  if (part.size() > name.size()) return has_initial_value(sema, type, part.substr(name.size() + 1));
  const auto& inner = sema.model.records[type.ref].fields;   // each field of this record must have an initial value
  return std::all_of(inner.begin(), inner.end(),
                     [&](const model::RecordField& f) { return has_initial_value(sema, type, f.name); });
}

// Returns the initial value of a record. Fields without an initial value are null.
const Expr* initial_of(SemaContext& sema, const Type& t) {
  build_record(sema, t.ref);
  std::vector<const Expr*> args;
  for (std::size_t i = 0; i < sema.model.records[t.ref].fields.size(); ++i)
    args.push_back(initial_of_field(sema, t.ref, i));
  return make(sema, ExprKind::record, t, sema.model.records[t.ref].range, std::move(args));
}

// Returns the value of an expression that must be known before the game. Reports an error if it is not.
const Expr* known(SemaContext& sema, const Expr* e, std::string_view name) {
  if (is_poison(e)) return e;
  if (e->type.kind == TypeKind::list) {
    if (e->kind == ExprKind::list_literal && e->args.empty()) return e;
    error(sema, "unsupported"_code, e->range, "a list can't have an initial value", "fill it in `setup`");
    return poison(sema, e->range);
  }
  const auto value = evaluate(sema, *e);
  if (!value) {
    not_known(sema, e->range, fmt::format("the initial value of `{}` must be constant", name), "set it in `setup`");
    return poison(sema, e->range);
  }
  Expr* c = make(sema, e->type.kind == TypeKind::set ? ExprKind::set_constant : ExprKind::constant, e->type, e->range);
  c->value = value->value;
  c->values = value->values;
  return c;
}

// ---------------------------------------------------------------- attributes

// Splits `[red: 3, blue: 1]` into one value for each attribute. Keys that are not listed get no value.
static void written_table(SemaContext& sema, const Type& t, const std::string& name, const Node* table,
                          std::vector<WrittenPart>& out) {
  const std::vector<std::string> keys = names_of_keys(sema, *t.key);
  std::set<std::string> seen;
  for (const Node* entry : table->children) {
    const Node* at = view::entry(entry).key();
    const std::string key(at->kind == NodeKind::number ? std::to_string(at->number) : at->text);
    if (std::find(keys.begin(), keys.end(), key) == keys.end())
      error(sema, "unknown_member"_code, at->range, fmt::format("`{}` has no entry `{}`", name, written(sema, at)),
            did_you_mean(key, keys));
    else if (!seen.insert(key).second)
      error(sema, "wrong_arguments"_code, at->range, fmt::format("duplicate key `{}`", key));
    else if (view::entry(entry).value())
      written_parts(sema, *t.elem, name + "." + key, view::entry(entry).value(), out);
  }
}

// Splits `[Trip(Ford), Trip(Hill, 3)]` into one list per field.
static void written_rows(SemaContext& sema, const Type& t, const std::string& name, const Node* value,
                         std::vector<WrittenPart>& out) {
  if (!value || value->kind != NodeKind::list_lit) {
    if (value)
      error(sema, "bad_scenario"_code, value->range, "expected a list",
            fmt::format("write `[{}(…), …]`", show(sema, *t.elem)));
    return;
  }
  const std::vector<Part> fields = leaves_of(sema, t, name);
  std::vector<std::vector<Node*>> columns(fields.size());
  for (const Node* row : value->children) {
    std::vector<WrittenPart> parts;
    written_parts(sema, *t.elem, name, row, parts);
    if (parts.size() != fields.size()) return;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const bool empty = fields[i].type.elem->elem != nullptr;   // for a field without a value, the list is empty
      columns[i].push_back(parts[i].value
                               ? sema.derived.copy(*parts[i].value)
                               : sema.derived.make(empty ? NodeKind::list_lit : NodeKind::none_lit, row->range));
    }
  }
  for (std::size_t i = 0; i < fields.size(); ++i)
    out.push_back({fields[i].name, sema.derived.make(NodeKind::list_lit, value->range, {}, 0, columns[i])});
}

// Splits the value of a record or table into one value for each attribute. A value that is not a table applies to all
// entries.
static void written_parts(SemaContext& sema, const Type& t, const std::string& name, const Node* value,
                          std::vector<WrittenPart>& out) {
  if (t.kind == TypeKind::map && value && value->kind == NodeKind::table_lit) {
    written_table(sema, t, name, value, out);
  } else if (t.kind == TypeKind::map) {
    for (const std::string& key : names_of_keys(sema, *t.key))
      written_parts(sema, *t.elem, name + "." + key, value, out);
  } else if (is_record_list(sema, t)) {
    written_rows(sema, t, name, value, out);
  } else if (t.kind != TypeKind::record) {
    out.push_back({name, value});
  } else if (!value || value->kind != NodeKind::call || value->text != sema.model.records[t.ref].name) {
    if (value)
      error(sema, "wrong_type"_code, value->range,
            fmt::format("expected a literal of type `{1}` for `{0}`", name, show(sema, t)),
            fmt::format("write `{}(…)`", show(sema, t)));
    const auto initial =
        value ? std::vector<const Node*>{} : (build_record(sema, t.ref), sema.records.infos[t.ref].initial);
    for (std::size_t i = 0; i < initial.size(); ++i)
      written_parts(sema, sema.model.records[t.ref].fields[i].type,
                    name + "." + sema.model.records[t.ref].fields[i].name, initial[i], out);
  } else {
    const std::vector<const Node*> given = given_fields(sema, value, t.ref);
    for (std::size_t i = 0; i < given.size(); ++i)
      written_parts(sema, sema.model.records[t.ref].fields[i].type,
                    name + "." + sema.model.records[t.ref].fields[i].name, given[i], out);
  }
}

// Returns the attributes to which a name in a card type refers, each with its value.
std::vector<WrittenPart> written_attribute(SemaContext& sema, const Type* composed, std::string_view name,
                                           const Node* value) {
  std::vector<WrittenPart> out;
  if (composed)
    written_parts(sema, *composed, std::string(name), value, out);
  else
    out.push_back({std::string(name), value});
  return out;
}

}   // namespace cardwright::sema
