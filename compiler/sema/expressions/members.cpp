// Resolves `x.name` and `x[i]`: members of players, cards, constants, windows and events, and entries of tables.
#include "compiler/sema/expressions/members.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/sema/operations/board_types.h"
#include "compiler/sema/operations/locals.h"
#include "compiler/sema/operations/type_relations.h"
#include "compiler/model/visit.h"
#include "compiler/sema/expressions/boards.h"
#include "compiler/sema/expressions/descriptions.h"
#include "compiler/sema/expressions/expressions.h"
#include "compiler/sema/expressions/pieces.h"
#include "compiler/sema/operations/boards.h"
#include "compiler/sema/operations/convert.h"
#include "compiler/sema/operations/members.h"
#include "compiler/sema/operations/names.h"
#include "compiler/sema/operations/records.h"
#include "compiler/sema/symbols/areas.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"
#include "compiler/sema/symbols/types.h"

namespace cardwright::sema {

static std::vector<std::string> running_names(const Callable& c, const model::Body& body,
                                              const std::vector<LocalId>& variables);
static const Expr* event_member(RuleContext& rule, std::uint32_t event, std::string_view name, Range range);
static const Expr* announced_member(RuleContext& rule, std::string_view name, Range at, Range range);
static const Expr* indexed(RuleContext& rule, const Expr* of, const Node* at, Range range);

const Expr* member(RuleContext& rule, const Node* node, const Type* expected) {
  const Node* base = view::member(node).of();
  if (!base) return poison(rule.sema, node->range);
  const Range at{node->range.source, node->range.end - static_cast<std::uint32_t>(node->text.size()), node->range.end};
  if (const Binding* b = base->kind == NodeKind::name_ref ? find_binding(rule, base->text) : nullptr; b && !b->value)
    if (auto o = rule.opened.find(b->local.index); o != rule.opened.end()) {
      std::vector<std::string> names;
      for (const auto& [name, id] : o->second.variables) {
        if (name == node->text) return local(rule, id, node->range);
        names.push_back(name);
      }
      const Composed& records = rule.sema.rules.windows[o->second.window].composed;
      const auto find_leaf = [&](const std::string& leaf) {
        return std::find_if(o->second.variables.begin(), o->second.variables.end(),
                            [&](const auto& v) { return v.first == leaf; });
      };
      if (auto r = records.find(node->text);
          r != records.end() &&
          find_leaf(leaves_of(rule.sema, r->second, r->first)[0].name) != o->second.variables.end())
        return spread(rule.sema, r->first, r->second, node->range, [&](const std::string& leaf, const Type&) {
          return local(rule, find_leaf(leaf)->second, node->range);
        });
      error(rule.sema, "unknown_member"_code, at, fmt::format("the window has no variable `{}`", node->text),
            did_you_mean(node->text, names));
      return poison(rule.sema, node->range);
    }
  if (base->kind == NodeKind::name_ref && !find_binding(rule, base->text)) {
    const std::string_view name = base->text;
    if (auto board = board_named(rule.sema, base)) return board_member(rule.sema, *board, node, at);
    if (auto e = rule.sema.names.enums.find(name); e != rule.sema.names.enums.end()) {
      const model::Enum& en = rule.model.enums[e->second];
      std::vector<std::string> names;
      for (std::size_t i = 0; i < en.constants.size(); ++i) {
        if (en.constants[i].name == node->text)
          return constant(rule.sema, enum_type(e->second), static_cast<Int>(i), node->range);
        names.push_back(en.constants[i].name);
      }
      error(rule.sema, "unknown_member"_code, at, fmt::format("`{}` has no constant `{}`", name, node->text),
            did_you_mean(node->text, names));
      return poison(rule.sema, node->range);
    }
    if (!rule.sema.names.table_variables.contains(name) && !rule.sema.records.of_table.contains(name)) {
      if (auto w = rule.sema.names.windows.find(name); w != rule.sema.names.windows.end()) {
        if (const Expr* e = window_member(rule, w->second, node->text, node->range)) return e;
        const model::Window& window = rule.model.windows[w->second];
        const std::vector<std::string> names =
            running_names(rule.sema.rules.windows[w->second], window.body, window.variables);
        if (!rule.sema.names.events.contains(name)) {
          error(rule.sema, "unknown_member"_code, at,
                fmt::format("the window `{}` has no member `{}`", name, node->text), did_you_mean(node->text, names));
          return poison(rule.sema, node->range);
        }
      }
      if (auto ev = rule.sema.names.events.find(name);
          ev != rule.sema.names.events.end() && !rule.sema.names.table_zones.contains(name)) {
        const std::uint32_t id = ev->second.front();
        if (const Expr* e = event_member(rule, id, node->text, node->range)) return e;
        const model::Event& event = rule.model.events[id];
        error(rule.sema, "unknown_member"_code, at, fmt::format("the event `{}` has no member `{}`", name, node->text),
              did_you_mean(node->text, running_names(rule.sema.rules.events[id], event.body, event.variables)));
        return poison(rule.sema, node->range);
      }
      if (name == "announced" && !rule.sema.names.table_zones.contains(name))
        return announced_member(rule, node->text, at, node->range);
    }
  }
  (void)expected;
  return member_of(rule, expr(rule, base), node->text, at, node->range);
}

static std::vector<std::string> running_names(const Callable& c, const model::Body& body,
                                              const std::vector<LocalId>& variables) {
  std::vector<std::string> names = c.names;
  for (LocalId v : variables) names.push_back(body.locals[v.index].name);
  return names;
}

static const Expr* event_member(RuleContext& rule, std::uint32_t event, std::string_view name, Range range) {
  const model::Event& e = rule.model.events[event];
  return running_member(rule, ExprKind::event_field, event, rule.sema.rules.events[event], e.body, e.variables, name,
                        range);
}

// Resolves `announced.n`, the value that the parameter n had when the event was called.
static const Expr* announced_member(RuleContext& rule, std::string_view name, Range at, Range range) {
  if (!rule.event || rule.deferred) {
    const std::string_view reason =
        rule.deferred ? "`announced` can't be read in an `afterwards`, because the event is over by then"
                      : "`announced` can only be read in rules of an event";
    error(rule.sema, "misplaced"_code, range, std::string(reason),
          rule.deferred
              ? fmt::format("store it before the `afterwards`: `let was = announced.{}`", name)
              : fmt::format("an `instead of`, an `after` or a measure of an event can read `announced.{}`", name));
    return poison(rule.sema, range);
  }
  const std::uint32_t event = *rule.event;
  const Callable& c = rule.sema.rules.events[event];
  const auto field = [&](std::size_t i) {
    Expr* e = make(rule.sema, ExprKind::event_field, c.types[i], range);
    e->ref = event;
    e->value = -1 - static_cast<Int>(i) - model::kAnnounced;
    if (e->type.optional && is_narrowed(rule, e)) e->type.optional = false;
    return e;
  };
  if (const Expr* e = parameter_of(rule.sema, c, name, range, field)) return e;
  error(rule.sema, "unknown_member"_code, at,
        fmt::format("`{}` has no parameter `{}`", rule.model.events[event].name, name), did_you_mean(name, c.names));
  return poison(rule.sema, range);
}

// Resolves `p.front[2]`.
static const Expr* part_at(RuleContext& rule, std::uint32_t area, const Expr* whose, const Node* node) {
  if (whose->type.optional && !is_soft(rule, whose)) {
    error(rule.sema, "may_be_none"_code, whose->range, "this player may be none",
          "check it first: `if p is in …`, or `when p is in`");
    return poison(rule.sema, node->range);
  }
  const Expr* at = convert(rule, integer(rule, view::index(node).keys(0)),
                           integer_type(1, rule.sema.areas.all[area].each), rule.sema.areas.all[area].name);
  if (is_poison(at)) return at;
  Expr* e = make(rule.sema, ExprKind::part_at, area_type(rule.sema, area), node->range, {whose, at});
  e->value = rule.sema.areas.all[area].each;
  return e;
}

const Expr* index(RuleContext& rule, const Node* node) {
  const Node* base = view::index(node).of();
  const Expr* of = nullptr;
  if (base && base->kind == NodeKind::name_ref && !find_binding(rule, base->text))
    if (auto board = board_named(rule.sema, base)) return cell_at(rule, *board, node);
  if (base && base->kind == NodeKind::name_ref && !find_binding(rule, base->text))
    if (auto a = area_named(rule.sema, base->text);
        a && node->children.size() == 2 && !rule.sema.names.table_variables.contains(base->text)) {
      if (one_each(rule.sema.areas.all[*a])) {
        error(rule.sema, "no_subject_in_scope"_code, node->range,
              fmt::format("each player has one `{}`", rule.sema.areas.all[*a].name),
              fmt::format("write `p.{}`", rule.sema.areas.all[*a].name));
        return poison(rule.sema, node->range);
      }
      if (rule.model.areas[*a].per) return piece_of(rule, *a, node);
      if (rule.sema.areas.all[*a].each > 0) {
        error(rule.sema, "no_subject_in_scope"_code, node->range,
              fmt::format("no player in scope for `{}`", rule.sema.areas.all[*a].name),
              fmt::format("write `p.{}[1]`", rule.sema.areas.all[*a].name));
        return poison(rule.sema, node->range);
      }
      const Type part = area_type(rule.sema, *a);
      const Expr* at = convert(rule, integer(rule, view::index(node).keys(0)), integer_type(part.lo, part.hi),
                               rule.sema.areas.all[*a].name);
      if (is_poison(at)) return at;
      Expr* e = make(rule.sema, at->kind, area_type(rule.sema, *a), node->range, at->args);
      e->value = at->value;
      e->ref = at->ref;
      e->local = at->local;
      return e;
    }
  if (base && base->kind == NodeKind::member && node->children.size() == 2)
    if (auto a = area_of_players(rule.sema, base->text);
        a && !one_each(rule.sema.areas.all[*a]) && rule.sema.areas.all[*a].name == base->text) {
      const Expr* whose = expr(rule, view::member(base).of());
      if (is_poison(whose)) return whose;
      if (whose->type.kind == TypeKind::player) return part_at(rule, *a, whose, node);
    }
  if (base && base->kind == NodeKind::list_lit) {   // an index applied to a list literal: `[left, right][i]`
    std::vector<const Expr*> items;
    Type elem = plain_type(TypeKind::poison);
    for (const Node* n : base->children) {
      items.push_back(expr(rule, n, elem.kind == TypeKind::poison ? nullptr : &elem));
      if (is_poison(items.back())) return items.back();
      auto t = common(rule.sema, elem, items.back()->type);
      if (!t) {
        error(rule.sema, "wrong_type"_code, n->range,
              fmt::format("expected an element of type `{1}`, found `{0}`", show(rule.sema, items.back()->type),
                          show(rule.sema, elem)));
        return poison(rule.sema, node->range);
      }
      elem = *t;
    }
    if (items.empty()) {
      error(rule.sema, "wrong_type"_code, base->range, "the list is empty");
      return poison(rule.sema, node->range);
    }
    const auto list = [&](const Type& t) { return list_type(t, static_cast<Int>(items.size())); };
    of = fieldwise(
        rule.sema, items,
        [&](const std::vector<const Expr*>& x) {
          return make(rule.sema, ExprKind::list_literal, list(record_in(rule.sema, elem) ? x[0]->type : elem),
                      base->range, x);
        },
        list);
  } else {
    of = expr(rule, base);
  }
  for (const Node* key : view::index(node).keys()) {
    if (is_poison(of)) break;
    of = indexed(rule, of, key, node->range);
  }
  return of;
}

static const Expr* indexed(RuleContext& rule, const Expr* of, const Node* node, Range range) {
  const Type t = of->type;
  if (t.kind != TypeKind::map && t.kind != TypeKind::list) {
    error(rule.sema, "wrong_type"_code, range, fmt::format("can't index `{}` with `[…]`", show(rule.sema, t)),
          t.kind == TypeKind::set ? "write `first of S`, `only of S` or `random of S`; for a pile `top of z`" : "");
    return poison(rule.sema, range);
  }
  const Expr* at = t.kind == TypeKind::list ? integer(rule, node)
                   : t.key->kind == TypeKind::card && rule.scenario
                       ? card_as_key(rule, node, *t.key)
                       : convert(rule, expr(rule, node, t.key.get()), *t.key, "the index");
  if (is_poison(at)) return at;
  if (of->kind == ExprKind::record && !has_no_effects(rule.sema, at)) return poison(rule.sema, range);
  return fieldwise(
      rule.sema, {of}, [&](const auto& x) { return picked(rule, x[0], at, range); },
      [](const Type& whole) { return Type(*whole.elem); });
}

}   // namespace cardwright::sema
