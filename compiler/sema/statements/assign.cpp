// Checks assignments (`=`, `+=`, `swap` and so on) to variables, fields, table entries, parts of areas and entire
// tables.
// Input:  statement nodes.
// Output: Model statements.
#include "compiler/sema/statements/assign.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/sema/operations/locals.h"
#include "compiler/sema/operations/type_relations.h"
#include "compiler/sema/expressions/calls.h"
#include "compiler/sema/expressions/expressions.h"
#include "compiler/sema/expressions/sets.h"
#include "compiler/sema/operations/bounds.h"
#include "compiler/sema/operations/convert.h"
#include "compiler/sema/operations/lists.h"
#include "compiler/sema/operations/members.h"
#include "compiler/sema/operations/names.h"
#include "compiler/sema/operations/narrowing.h"
#include "compiler/sema/operations/pieces.h"
#include "compiler/sema/operations/records.h"
#include "compiler/sema/operations/tables.h"
#include "compiler/sema/statements/record_lists.h"
#include "compiler/sema/statements/tables.h"
#include "compiler/sema/symbols/areas.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"
#include "compiler/sema/symbols/types.h"

namespace cardwright::sema {

static bool is_own(const RuleContext& rule, const Node* place);
static void entries_from(RuleContext& rule, const std::vector<const Expr*>& tables, Range range, Block& out,
                         const OnEntry& entry);
static void assign_to(RuleContext& rule, const Node* place, const Node* value, std::string_view op, Range range,
                      Block& out);
static void assign_record(RuleContext& rule, const Expr* target, const Node* value, std::string_view op, Range range,
                          Block& out);
static bool is_assignable(RuleContext& rule, const Expr* target, Range place);

void assign_stmt(RuleContext& rule, const Node* node, Block& out) {
  const view::assign_stmt its(node);
  if (!is_own(rule, its.place()) && !effect(rule, node->range, "assigning")) return;
  assign_to(rule, its.place(), its.value(), node->text, node->range, out);
}

// Returns whether the target is a local variable of the rule, or an element or field of one.
static bool is_own(const RuleContext& rule, const Node* place) {
  bool field = false;
  while (place && (place->kind == NodeKind::index || place->kind == NodeKind::member)) {
    field = field || place->kind == NodeKind::member;
    place = view::place(place).of();
  }
  const Binding* b = place && place->kind == NodeKind::name_ref ? find_binding(rule, place->text) : nullptr;
  return b && (!field || (b->value && b->value->kind == ExprKind::record));
}

// Emits a loop over the keys of tables that have the same keys, and calls `entry` to build its body from their entries.
// For other expressions, calls `entry` once with these expressions.
void each_entry(RuleContext& rule, const std::vector<const Expr*>& of, Range range, Block& out, const OnEntry& entry) {
  if (of[0]->type.kind != TypeKind::map) return entry(of, out);
  std::vector<const Expr*> entries;
  for (const Expr* table : of) {   // evaluates the owner and the indices only once
    std::vector<const Expr*> args = table->args;
    for (const Expr*& a : args) {
      if (a->kind == ExprKind::constant || a->kind == ExprKind::local) continue;
      const LocalId once = add_local(rule, "", a->type, range);
      emit(rule.sema, out, StmtKind::let, range, {a})->local = once;
      a = local(rule, once, range);
    }
    Expr* again = make(rule.sema, ExprKind::variable, table->type, table->range, std::move(args));
    again->ref = table->ref;
    entries.push_back(again);
  }
  entries_from(rule, entries, range, out, entry);
}

static void entries_from(RuleContext& rule, const std::vector<const Expr*>& tables, Range range, Block& out,
                         const OnEntry& entry) {
  const auto first_key = [&](const Expr* table) {
    const model::Variable& variable = rule.model.variables[table->ref];
    return table->args.size() - (variable.per_player ? 1 : 0);
  };
  const model::Variable& variable = rule.model.variables[tables[0]->ref];
  if (first_key(tables[0]) == variable.indices.size()) return entry(tables, out);
  const Type key = variable.indices[first_key(tables[0])];
  const Expr* all = key.kind == TypeKind::player ? make(rule.sema, ExprKind::everyone, set_type(player_type()), range)
                                                 : universe(rule.sema, key, range);
  const LocalId k = add_local(rule, "", key, range);
  std::vector<const Expr*> inner;
  for (const Expr* table : tables) {
    const model::Variable& of = rule.model.variables[table->ref];
    std::vector<const Expr*> args = table->args;
    args.push_back(local(rule, k, range));
    Expr* e =
        make(rule.sema, ExprKind::variable, first_key(table) + 1 == of.indices.size() ? of.type : *table->type.elem,
             table->range, std::move(args));
    e->ref = table->ref;
    inner.push_back(e);
  }
  Block body;
  entries_from(rule, inner, range, body, entry);
  Stmt* s = emit(rule.sema, out, StmtKind::each, range, {all, nullptr, nullptr});
  s->local = k;
  s->blocks = {std::move(body)};
}

// Returns whether a loop can visit all entries of the tables in parallel. The tables must have the same keys, and the
// keys must fit into a set.
bool can_walk_entries(const SemaContext& sema, const std::vector<const Expr*>& tables) {
  const auto keys_left = [&](const Expr* table) {
    const model::Variable& v = sema.model.variables[table->ref];
    return std::span(v.indices).subspan(table->args.size() - (v.per_player ? 1 : 0));
  };
  if (tables[0]->type.kind != TypeKind::map) return true;
  const auto keys = keys_left(tables[0]);
  const auto few = [&](const Type& t) { return fits_in_set(sema, t); };
  const auto alike = [&](const Type& a, const Type& b) {
    return same_type(sema, a, b) && a.lo == b.lo && a.hi == b.hi;
  };
  return std::all_of(keys.begin(), keys.end(), few) &&
         std::all_of(tables.begin(), tables.end(), [&](const Expr* other) {
           const auto theirs = keys_left(other);
           return std::equal(keys.begin(), keys.end(), theirs.begin(), theirs.end(), alike);
         });
}

// Assigns to every entry of a table: `taken = none`, `p.stakes = 0`.
static void assign_map(RuleContext& rule, const Expr* map, const Node* value, std::string_view op, Range range,
                       Block& out) {
  const model::Variable& variable = rule.model.variables[map->ref];
  const Type element = variable.type;
  if (op != "=" || !can_walk_entries(rule.sema, {map})) {
    error(rule.sema, "wrong_type"_code, range,
          fmt::format("a table can only be assigned with `=`: `{}`", variable.name),
          fmt::format("`each k in … {{ {}[k] {} … }}`", variable.name, op));
    return;
  }
  Scoped scope(rule);
  const Expr* e = table_or_entry(rule, expr(rule, value, &element), map->type, variable.name);
  if (is_poison(e)) return;
  const bool table = e->type.kind == TypeKind::map;
  const LocalId stored = add_local(rule, "", e->type, range);
  emit(rule.sema, out, StmtKind::let, range, {e})->local = stored;
  each_entry(rule, {map}, range, out, [&](const auto& entry, Block& into) {
    const Expr* all = local(rule, stored, range);
    store(rule, entry[0], table ? picked(rule, all, entry[0]->args.back(), range) : all, map->range, range, into);
  });
}

// Assigns to every entry of the tables of several players: `players.stakes = 0`, `others.prices = Price(2)`.
static void assign_tables(RuleContext& rule, const Node* place, const Node* whose, const std::string& path,
                          const Node* value, std::string_view op, Range range, Block& out) {
  const auto as_record = rule.sema.records.of_players.find(path);
  const Type table = as_record != rule.sema.records.of_players.end() ? as_record->second : Type();
  Type t = as_record != rule.sema.records.of_players.end()
               ? *table.elem
               : rule.model.variables[rule.sema.names.player_variables.find(path)->second].type;
  while (t.kind == TypeKind::map) t = Type(*t.elem);
  if (op != "=")
    return void(error(rule.sema, "wrong_type"_code, range,
                      fmt::format("a table can only be assigned with `=`: `{}`", place->text),
                      "`each p in players { … }`"));
  const Expr* players = set(rule, whose);
  const Expr* e = convert_in_bounds(rule, value_in_statement(rule, value, &t, out), t, place->text);
  if (is_poison(players) || is_poison(e)) return;
  const std::vector<const Expr*> fields = fields_in_locals(rule, e, range, out);
  const std::vector<Part> names = as_record != rule.sema.records.of_players.end() ? leaves_of(rule.sema, table, path)
                                                                                  : std::vector<Part>{{path, Type()}};
  const LocalId p = add_local(rule, "player", player_type(), whose->range);
  Block body;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::uint32_t id = rule.sema.names.player_variables.find(names[i].name)->second;
    const model::Variable& v = rule.model.variables[id];
    Type whole = v.type;
    for (auto key = v.indices.rbegin(); key != v.indices.rend(); ++key) {
      Type outer = plain_type(TypeKind::map);
      outer.elem = std::make_shared<const Type>(std::move(whole));
      outer.key = std::make_shared<const Type>(*key);
      whole = std::move(outer);
    }
    Expr* of = make(rule.sema, ExprKind::variable, whole, place->range, {local(rule, p, place->range)});
    of->ref = id;
    if (!can_walk_entries(rule.sema, {of}))
      return void(error(rule.sema, "wrong_type"_code, range,
                        fmt::format("cannot assign all entries of `{}` at once", place->text),
                        "`each p in players, k in … { … }`"));
    each_entry(rule, {of}, range, body,
               [&](const auto& entry, Block& into) { store(rule, entry[0], fields[i], place->range, range, into); });
  }
  Stmt* s = emit(rule.sema, out, StmtKind::each, range, {players, nullptr, nullptr});
  s->local = p;
  s->blocks = {std::move(body)};
}

// Returns the name of the target for messages: "`n`", or "an entry of `l`".
static std::string name_of_target(const RuleContext& rule, const Expr* target) {
  if (target->kind == ExprKind::element_at)
    return "an entry of " + name_of_target(rule, model::view::element_at(target).of());
  const auto name_of = [](const model::Body& body, LocalId local) {
    return fmt::format("`{}`", body.locals[local.index].name);
  };
  const auto index = static_cast<std::size_t>(target->value);
  switch (target->kind) {
    case ExprKind::local: return name_of(*rule.body, target->local);
    case ExprKind::variable: return fmt::format("`{}`", rule.model.variables[target->ref].name);
    case ExprKind::window_field:
      if (const model::Window& w = rule.model.windows[target->ref]; target->value >= 0)
        return name_of(w.body, w.variables[index]);
      return "this variable";
    case ExprKind::event_field:
      if (const model::Event& event = rule.model.events[target->ref]; target->value >= 0)
        return name_of(event.body, event.variables[index]);
      return "this variable";
    default: return "this variable";
  }
}

// Converts a value to the type of its target. Storing to a variable of the game checks the range of a number at run
// time, but not the range of elements of sets.
static const Expr* converted_for(RuleContext& rule, const Expr* target, const Expr* e, const Type& t,
                                 std::string_view name) {
  const bool in_state = !target || target->kind == ExprKind::variable;
  if (in_state && t.kind != TypeKind::set) return convert(rule, e, t, name);
  return convert_in_bounds(rule, e, t, name, target ? name_of_target(rule, target) : std::string());
}

// Returns the set of parts that a target denotes, such as `teams` in `teams.score = 0` or `nests where C` in `(nests
// where C).height += 1`.
static const Expr* selected_parts(RuleContext& rule, const Node* place) {
  if (place->kind != NodeKind::member || !view::member(place).of()) return nullptr;
  const Node* base = view::member(place).of();
  while (base->kind == NodeKind::where_expr && view::where_expr(base).set()) base = view::where_expr(base).set();
  const auto area = base->kind == NodeKind::name_ref && !find_binding(rule, base->text)
                        ? area_named(rule.sema, base->text)
                    : base->kind == NodeKind::member ? area_of_players(rule.sema, base->text)
                                                     : std::nullopt;
  return area && rule.sema.areas.all[*area].name != base->text ? set(rule, view::member(place).of()) : nullptr;
}

static void assign_parts(RuleContext& rule, const Node* place, const Expr* parts, const Node* value,
                         std::string_view op, Range range, Block& out) {
  if (is_poison(parts)) return;
  Scoped scope(rule);
  const LocalId part = add_local(rule, "", element_type(parts->type), place->range);
  const Expr* target = member_of(rule, local(rule, part, place->range), place->text, place->range, place->range);
  if (is_poison(target)) return;
  const Type t = target->type;
  if (record_in(rule.sema, t) || t.kind == TypeKind::map || (op != "=" && t.kind != TypeKind::integer)) {
    error(
        rule.sema, "wrong_type"_code, range,
        fmt::format("the `{}` of several parts can't be {} at once", show(rule.sema, t), op == "=" ? "set" : "changed"),
        "`each x in … { … }`");
    return;
  }
  const Expr* change =
      op == "=" ? converted_for(rule, target, expr(rule, value, &t), t, place->text) : integer(rule, value);
  if (is_poison(change)) return;
  const LocalId stored = add_local(rule, "", change->type, range);
  emit(rule.sema, out, StmtKind::let, range, {change})->local = stored;
  const Expr* e = local(rule, stored, range);
  if (op != "=")
    e = convert(rule,
                make(rule.sema, op == "+=" ? ExprKind::add : ExprKind::subtract, integer_type(), range, {target, e}), t,
                place->text);
  Block body;
  if (is_poison(e) || !store(rule, target, e, place->range, range, body)) return;
  Stmt* s = emit(rule.sema, out, StmtKind::each, range, {parts, nullptr, nullptr});
  s->local = part;
  s->blocks = {std::move(body)};
}

// Assigns a record to a variable of several players, field by field: `players.purse = …`.
static void set_record_of_all(RuleContext& rule, const Node* base, const Part& whole, const Node* place,
                              const Node* value, std::string_view op, Range range, Block& out) {
  const Expr* whose = set(rule, base);
  const Expr* e =
      op == "=" ? convert(rule, expr(rule, value, &whole.type), whole.type, place->text) : poison(rule.sema, range);
  if (op != "=")
    error(rule.sema, "wrong_type"_code, range,
          fmt::format("a value of type `{}` can only be assigned with `=`", show(rule.sema, whole.type)));
  if (is_poison(whose) || is_poison(e)) return;
  const std::vector<const Expr*> fields = fields_in_locals(rule, e, range, out);
  const std::vector<Part> names = leaves_of(rule.sema, whole.type, whole.name);
  for (std::size_t i = 0; i < fields.size(); ++i) {
    Stmt* s = emit(rule.sema, out, StmtKind::assign_all, range, {whose, fields[i]});
    s->ref = rule.sema.names.player_variables.find(names[i].name)->second;
    forget_variable(rule, s->ref);
    s->local = add_local(rule, "player", player_type(), base->range);
  }
}

static void set_variable_of_all(RuleContext& rule, const Node* base, std::uint32_t v, const Node* place,
                                const Node* value, std::string_view op, Range range, Block& out) {
  const Expr* whose = set(rule, base);
  if (is_poison(whose)) return;
  Scoped scope(rule);
  const LocalId p = add_local(rule, "player", player_type(), base->range);
  const Type wanted = rule.model.variables[v].type;
  const Expr* e = expr(rule, value, &wanted);
  if (op != "=" && (wanted.kind == TypeKind::list || wanted.kind == TypeKind::set)) {
    error(rule.sema, "wrong_type"_code, range,
          fmt::format("a value of type `{}` can only be assigned to several players with `=`", show(rule.sema, wanted)),
          "`each p in players { … }`");
    return;
  }
  if (op != "=") {
    Expr* old = make(rule.sema, ExprKind::variable, wanted, place->range, {local(rule, p, place->range)});
    old->ref = v;
    e = make(rule.sema, op == "+=" ? ExprKind::add : ExprKind::subtract, integer_type(), range, {old, to_int(rule, e)});
  }
  e = converted_for(rule, nullptr, e, wanted, place->text);
  if (is_poison(e)) return;
  Stmt* s = emit(rule.sema, out, StmtKind::assign_all, range, {whose, e});
  s->ref = v;
  forget_variable(rule, v);
  s->local = p;
}

// Handles `players.towels = 4` and `players.purse.gold = 4`. Returns false for other targets.
static bool assign_to_all(RuleContext& rule, const Node* place, const Node* value, std::string_view op, Range range,
                          Block& out) {
  const Node* base = view::member(place).of();
  std::string path(place->text);
  for (; base->kind == NodeKind::member && view::member(base).of(); base = view::member(base).of())
    path = std::string(base->text) + "." + path;
  const bool set_base = base->kind == NodeKind::where_expr ||
                        (base->kind == NodeKind::name_ref &&
                         (base->text == "players" || base->text == "everyone" || base->text == "others"));
  const auto as_record = rule.sema.records.of_players.find(path);
  const auto as_variable = rule.sema.names.player_variables.find(path);
  const bool table = as_record != rule.sema.records.of_players.end()
                         ? as_record->second.kind == TypeKind::map
                         : as_variable != rule.sema.names.player_variables.end() &&
                               !rule.model.variables[as_variable->second].indices.empty();
  if (!set_base) return false;
  if (table) return assign_tables(rule, place, base, path, value, op, range, out), true;
  if (as_record != rule.sema.records.of_players.end()) {
    set_record_of_all(rule, base, {path, as_record->second}, place, value, op, range, out);
    return true;
  }
  if (as_variable == rule.sema.names.player_variables.end()) return false;
  set_variable_of_all(rule, base, as_variable->second, place, value, op, range, out);
  return true;
}

// Returns the declared type of the target, without narrowing.
static Type type_to_assign(const RuleContext& rule, const Expr* target) {
  Type t = target->type;
  if (target->kind == ExprKind::local) t = rule.body->locals[target->local.index].type;
  if (target->kind == ExprKind::variable && t.kind != TypeKind::map) t = rule.model.variables[target->ref].type;
  if (target->kind == ExprKind::window_field && target->value >= 0) {
    const model::Window& w = rule.model.windows[target->ref];
    t = w.body.locals[w.variables[static_cast<std::size_t>(target->value)].index].type;
  }
  if (target->kind == ExprKind::event_field && target->value >= 0) {
    const model::Event& event = rule.model.events[target->ref];
    t = event.body.locals[event.variables[static_cast<std::size_t>(target->value)].index].type;
  }
  return t;
}

static const Expr* changed_list(RuleContext& rule, const Expr* target, const Type& t, const Node* value,
                                std::string_view op, Range range) {
  const Type element = element_type(t), added = added_to(t, value);
  const Expr* change = expr(rule, value, &added);
  if (is_poison(change)) return nullptr;
  if (change->type.kind == TypeKind::list && !same_type(rule.sema, change->type, element) && op == "+=") {
    return joined(rule, target, change, range);
  }
  change = op == "+=" ? convert(rule, change, element, "an element") : to_compare(rule, change, element, "an element");
  // Storing to a variable of the State checks the range of a number at run time, but not the range of elements of sets.
  if (op == "+=" && (target->kind != ExprKind::variable || element.kind == TypeKind::set))
    change = in_bounds(rule.sema, change, element, "an element of " + name_of_target(rule, target));
  if (is_poison(change)) return nullptr;
  return make(rule.sema, op == "+=" ? ExprKind::list_add : ExprKind::list_drop, t, range, {target, change});
}

static const Expr* changed_set(RuleContext& rule, const Expr* target, const Type& t, const Node* value,
                               std::string_view op, Range range) {
  const Expr* change = as_set(rule.sema, expr(rule, value, &t));
  if (is_poison(change)) return nullptr;
  auto u = common(rule.sema, t, change->type);
  if (!u) {
    error(rule.sema, "wrong_type"_code, value->range,
          fmt::format("can't combine `{}` with `{}`", show(rule.sema, t), show(rule.sema, change->type)));
    return nullptr;
  }
  change = op == "+=" ? convert(rule, change, t) : to_compare(rule, change, t);
  if (op == "+=") change = in_bounds(rule.sema, change, t, name_of_target(rule, target));
  if (is_poison(change)) return nullptr;
  return make(rule.sema, op == "+=" ? ExprKind::set_union : ExprKind::set_minus, t, range, {target, change});
}

static const Expr* changed_number(RuleContext& rule, const Node* place, const Type& t, const Node* value,
                                  std::string_view op, Range range) {
  const Expr* old = expr(rule, place);
  const Expr* change = integer(rule, value);
  old = to_int(rule, old);
  if (is_poison(change) || is_poison(old)) return nullptr;
  const Expr* e =
      make(rule.sema, op == "+=" ? ExprKind::add : ExprKind::subtract, integer_type(), range, {old, change});
  if (t.kind == TypeKind::integer && change->kind == ExprKind::constant && change->value == 0)
    warn_if(rule.sema, "without_effect"_code, range, true, "this assignment has no effect");
  return e;
}

static void assign_to(RuleContext& rule, const Node* place, const Node* value, std::string_view op, Range range,
                      Block& out) {
  if (!place || !value) return;
  if (place->kind == NodeKind::member && view::member(place).of() && assign_to_all(rule, place, value, op, range, out))
    return;
  if (const Expr* parts = selected_parts(rule, place)) return assign_parts(rule, place, parts, value, op, range, out);
  const Expr* target = expr(rule, place);
  if (target->kind == ExprKind::record) return assign_record(rule, target, value, op, range, out);
  if (target->kind == ExprKind::variable && target->type.kind == TypeKind::map)
    return assign_map(rule, target, value, op, range, out);
  if (target->kind == ExprKind::local && target->type.kind == TypeKind::map)
    return assign_table(rule, target, value, op, range, out);
  const std::string key = key_of(target);
  if (is_poison(target)) {
    const Expr* e = expr(rule, value);
    // The assignment probably lacks `let`, so later uses of the name are not reported.
    if (place->kind == NodeKind::name_ref && !find_binding(rule, place->text) && op == "=")
      rule.bindings.push_back({place->text, LocalId{}, poison(rule.sema, e->range)});
    return;
  }
  if (target->kind == ExprKind::local && !is_assignable(rule, target, place->range)) return;
  const Type t = type_to_assign(rule, target);
  const Expr* e = op == "="                  ? expr(rule, value, &t)
                  : t.kind == TypeKind::list ? changed_list(rule, target, t, value, op, range)
                  : t.kind == TypeKind::set  ? changed_set(rule, target, t, value, op, range)
                                             : changed_number(rule, place, t, value, op, range);
  if (!e) return;
  const Expr* converted = converted_for(rule, target, e, t, place->text);
  if (is_poison(converted)) return;
  if (!store(rule, target, converted, place->range, range, out) || key.empty()) return;
  if (!e->type.optional && t.optional && e->kind != ExprKind::constant) rule.narrowed.push_back(key);
  if (e->kind == ExprKind::constant && e->value != kNone && t.optional) rule.narrowed.push_back(key);
}

// Stores the values of all fields in locals before any field is assigned, because the new value of one field can depend
// on another field: `purse = Purse(gold: purse.silver, silver: purse.gold)`.
std::vector<const Expr*> fields_in_locals(RuleContext& rule, const Expr* e, Range range, Block& out) {
  std::vector<const Expr*> fields = fields_of(e);
  for (const Expr*& f : fields) {
    if (f->kind == ExprKind::constant) continue;
    const LocalId stored = add_local(rule, "", f->type, range);
    emit(rule.sema, out, StmtKind::let, range, {f})->local = stored;
    f = local(rule, stored, range);
  }
  return fields;
}

// Assigns the same record to all entries of a table of records.
static void assign_table_of_records(RuleContext& rule, const Expr* target, const Node* value, std::string_view op,
                                    Range range, Block& out) {
  Type t = target->type;
  while (t.kind == TypeKind::map) t = Type(*t.elem);
  const std::vector<const Expr*> places = fields_of(target);
  if (op != "=" || places[0]->kind != ExprKind::variable || !can_walk_entries(rule.sema, {places[0]})) {
    error(rule.sema, "wrong_type"_code, range, "cannot assign all entries of this table at once",
          "`each k in … { …[k] = … }`");
    return;
  }
  const Expr* e = convert(rule, value_in_statement(rule, value, &t, out), t);
  if (is_poison(e)) return;
  const std::vector<const Expr*> fields = fields_in_locals(rule, e, range, out);
  for (std::size_t i = 0; i < fields.size(); ++i)
    each_entry(rule, {places[i]}, range, out,
               [&](const auto& entry, Block& into) { store(rule, entry[0], fields[i], target->range, range, into); });
}

// Evaluates the indices of a record target only once, because storing one field can change the indices: `m[m[a].next] =
// …`.
static const Expr* with_stored_indices(RuleContext& rule, const Expr* place, std::map<const Expr*, const Expr*>& locals,
                                       Block& out) {
  if (place->kind != ExprKind::element_at && place->kind != ExprKind::variable) return place;
  std::vector<const Expr*> args;
  const Expr* whole = place->kind == ExprKind::element_at ? model::view::element_at(place).of() : nullptr;
  for (const Expr* at : place->args) {
    if (at && at == whole) {
      args.push_back(with_stored_indices(rule, at, locals, out));
      continue;
    }
    const Expr*& stored = locals[at];
    if (!stored && at && at->kind != ExprKind::constant && at->kind != ExprKind::local) {
      const LocalId local_at = add_local(rule, "", at->type, at->range);
      emit(rule.sema, out, StmtKind::let, at->range, {at})->local = local_at;
      stored = raw_local(rule, local_at, at->range);
    }
    args.push_back(stored ? stored : at);
  }
  Expr* e = make(rule.sema, place->kind, place->type, place->range, std::move(args));
  e->ref = place->ref;
  e->value = place->value;
  e->local = place->local;
  return e;
}

static void assign_record(RuleContext& rule, const Expr* target, const Node* value, std::string_view op, Range range,
                          Block& out) {
  const Type t = target->type;
  if (t.kind == TypeKind::map) return assign_table_of_records(rule, target, value, op, range, out);
  if (t.kind == TypeKind::record && op != "=") {
    error(rule.sema, "wrong_type"_code, range,
          fmt::format("a value of type `{}` can only be assigned with `=`", show(rule.sema, t)),
          "change one of its fields");
    return;
  }
  std::map<const Expr*, const Expr*> locals;
  target = fieldwise(rule.sema, {target}, [&](const auto& x) { return with_stored_indices(rule, x[0], locals, out); });
  const Expr* e = convert(
      rule, op == "=" ? value_in_statement(rule, value, &t, out) : records_changed(rule, target, value, op, range, out),
      t);
  if (is_poison(e)) return;
  const std::vector<const Expr*> fields = op == "+=" ? fields_of(e) : fields_in_locals(rule, e, range, out),
                                 places = fields_of(target);
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (!store(rule, places[i], fields[i], target->range, range, out)) return;
  }
}

// Returns whether the target can be assigned. Reports an assignment to a name that a `let`, a loop or a parameter
// binds, because such a name is constant.
static bool is_assignable(RuleContext& rule, const Expr* target, Range place) {
  if (rule.variables.contains(target->local.index)) return true;
  const std::string whole = rule.body->locals[target->local.index].name, name = whole.substr(0, whole.find('.'));
  error(rule.sema, "misplaced"_code, place, fmt::format("cannot assign to `{}`, which is not a variable", name),
        fmt::format("declare it with `var`: `var {} = …`", name));
  return false;
}

// Emits code that stores `value` in `target`. Reports an error and returns false if the target can't be assigned.
bool store(RuleContext& rule, const Expr* target, const Expr* value, Range place, Range range, Block& out) {
  forget(rule, target);
  switch (target->kind) {
    case ExprKind::local: {
      if (!is_assignable(rule, target, place)) return false;
      emit(rule.sema, out, StmtKind::assign_local, range, {value})->local = target->local;
      break;
    }
    case ExprKind::element_at: {
      const Expr* of = model::view::element_at(target).of();
      // To assign to an element of a list that is in the State or in another list, copies the list, changes the copy,
      // and stores the copy.
      if (of->kind == ExprKind::variable || of->kind == ExprKind::window_field || of->kind == ExprKind::event_field ||
          of->kind == ExprKind::element_at) {
        if (!has_no_effects(rule.sema, model::view::element_at(target).indices(0))) return false;
        const LocalId list = add_local(rule, "", of->type, range);
        emit(rule.sema, out, StmtKind::let, range, {of})->local = list;
        emit(rule.sema, out, StmtKind::assign_local, range, {model::view::element_at(target).indices(0), value})
            ->local = list;
        return store(rule, of, local(rule, list, range), place, range, out);
      }
      if (of->kind != ExprKind::local || !rule.variables.contains(of->local.index)) {
        error(rule.sema, "misplaced"_code, place, "cannot assign to this element");
        return false;
      }
      emit(rule.sema, out, StmtKind::assign_local, range, {model::view::element_at(target).indices(0), value})->local =
          of->local;
      break;
    }
    case ExprKind::variable: {
      if (const std::string* die = die_with_face(rule.sema, target->ref)) {
        error(rule.sema, "misplaced"_code, place, fmt::format("cannot assign the face of `{}`", *die),
              "roll or turn the die: `roll d`, `turn d to 5`");
        return false;
      }
      if (const auto of = placed_by(rule.sema, target->ref)) {
        const bool facing = of->first->at.index != target->ref;
        error(rule.sema, "misplaced"_code, place,
              fmt::format("cannot assign the {} of `{}`", facing ? "direction" : "position", of->second),
              facing ? "use `place x facing d`" : "use `place x at c` or `lift x`");
        return false;
      }
      std::vector<const Expr*> exprs = target->args;
      exprs.push_back(value);
      emit(rule.sema, out, StmtKind::assign_variable, range, std::move(exprs))->ref = target->ref;
      break;
    }
    case ExprKind::window_field:
    case ExprKind::event_field: {
      const bool window = target->kind == ExprKind::window_field;
      if (target->value < 0) {
        error(rule.sema, "misplaced"_code, place,
              fmt::format("cannot assign to a parameter of {}", window ? "a window" : "an event"),
              fmt::format("declare a `var` in the {}", window ? "window" : "event"));
        return false;
      }
      Stmt* s =
          emit(rule.sema, out, window ? StmtKind::assign_window_field : StmtKind::assign_event_field, range, {value});
      s->ref = target->ref;
      s->value = target->value;
      break;
    }
    case ExprKind::zone:
      error(rule.sema, "misplaced"_code, range, "cannot assign to a zone", "move cards instead: `move x to …`");
      return false;
    default: error(rule.sema, "misplaced"_code, place, "cannot assign to this expression"); return false;
  }
  return true;
}

void swap_stmt(RuleContext& rule, const Node* node, Block& out) {
  const view::swap_stmt its(node);
  if (!effect(rule, node->range, "`swap`")) return;
  const Node *l = its.left(), *r = its.right();
  if (!l || !r) return;
  auto a = zone_place(rule, l), b = zone_place(rule, r);
  if (a && b) {
    const Expr *x = expr(rule, l), *y = expr(rule, r);
    if (is_poison(x) || is_poison(y)) return;
    const LocalId first = add_local(rule, "", x->type, l->range), second = add_local(rule, "", y->type, r->range);
    emit(rule.sema, out, StmtKind::let, node->range, {x})->local = first;
    emit(rule.sema, out, StmtKind::let, node->range, {y})->local = second;
    emit(rule.sema, out, StmtKind::move, node->range,
         {local(rule, first, l->range), b->place.owner, b->place.copy, nullptr})
        ->ref = b->place.zone.index;
    emit(rule.sema, out, StmtKind::move, node->range,
         {local(rule, second, r->range), a->place.owner, a->place.copy, nullptr})
        ->ref = a->place.zone.index;
    return;
  }
  const Expr *x = expr(rule, l), *y = expr(rule, r);
  if (is_poison(x) || is_poison(y)) return;
  const std::vector<const Expr*> ours = fields_of(x), theirs = fields_of(y);
  const auto variable = [](const Expr* e) { return e->kind == ExprKind::variable; };
  if (!std::all_of(ours.begin(), ours.end(), variable) || !std::all_of(theirs.begin(), theirs.end(), variable) ||
      !same_type(rule.sema, x->type, y->type)) {
    error(rule.sema, "wrong_type"_code, node->range, "`swap` needs two zones or two variables of the same type");
    return;
  }
  if (!can_walk_entries(rule.sema, {ours[0], theirs[0]})) {
    error(rule.sema, "wrong_type"_code, node->range, "only tables with the same keys can be swapped",
          "`each k in … { swap …[k] with …[k] }`");
    return;
  }
  for (std::size_t i = 0; i < ours.size(); ++i)
    each_entry(rule, {ours[i], theirs[i]}, node->range, out, [&](const auto& entry, Block& into) {
      const Expr *to_right = converted_for(rule, entry[1], entry[0], entry[1]->type, r->text),
                 *to_left = converted_for(rule, entry[0], entry[1], entry[0]->type, l->text);
      if (is_poison(to_right) || is_poison(to_left)) return;
      const LocalId stored = add_local(rule, "", to_right->type, l->range);
      emit(rule.sema, into, StmtKind::let, node->range, {to_right})->local = stored;
      store(rule, entry[0], to_left, l->range, node->range, into);
      store(rule, entry[1], local(rule, stored, r->range), r->range, node->range, into);
    });
}

}   // namespace cardwright::sema
