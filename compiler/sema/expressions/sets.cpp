// Builds sets and lists: `where`, `with most`, `any … has`, `sum of`, ranges, and the contents of zones.
#include "compiler/sema/expressions/sets.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/sema/operations/locals.h"
#include "compiler/sema/operations/sequences.h"
#include "compiler/sema/operations/type_relations.h"
#include "compiler/sema/expressions/expressions.h"
#include "compiler/sema/expressions/players.h"
#include "compiler/sema/operations/convert.h"
#include "compiler/sema/operations/lists.h"
#include "compiler/sema/operations/logic.h"
#include "compiler/sema/operations/names.h"
#include "compiler/sema/operations/narrowing.h"
#include "compiler/sema/operations/pieces.h"
#include "compiler/sema/operations/record_lists.h"
#include "compiler/sema/operations/records.h"
#include "compiler/sema/options/tree_constants.h"
#include "compiler/sema/symbols/card_types.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"
#include "compiler/sema/symbols/nothing.h"
#include "compiler/sema/symbols/types.h"
#include "support/filled.h"

namespace cardwright::sema {

static const Expr* aggregate_over(RuleContext& rule, const Node* node, std::size_t gen);
static const Expr* list_of(RuleContext& rule, const Node* node, const Expr* over, LocalId element, const Expr* where,
                           const Expr* body, const Expr* start, bool joins);
static const Expr* begins_at(RuleContext& rule, const Expr* set, const Node* node);
static const Expr* index_of_part(RuleContext& rule, const Expr* part, Range range);

// Builds `lo..hi`. A loop can iterate over any integers, but a set can contain only integers in the range of sets.
const Expr* number_range(RuleContext& rule, const Node* node) {
  const view::range_lit its(node);
  const bool walked = std::exchange(rule.walked, nullptr) == node;
  const auto lo = tree_int(rule.sema, its.lo(), false), hi = tree_int(rule.sema, its.hi(), false);
  if (lo && hi && *lo >= 0 && *hi <= kMostInSet) {
    Expr* e = make(rule.sema, ExprKind::set_constant, set_type(integer_type(*lo, std::max(*lo, *hi))), node->range);
    for (Int i = *lo; i <= *hi; ++i) e->values.push_back(i);
    return e;
  }
  const Expr *a = integer(rule, its.lo()), *b = integer(rule, its.hi());
  if (is_poison(a) || is_poison(b)) return poison(rule.sema, node->range);
  if (walked)
    return make(rule.sema, ExprKind::numbers, list_type(integer_type(a->type.lo, std::max(a->type.lo, b->type.hi)), 0),
                node->range, {a, b});
  if (lo && hi) {
    error(rule.sema, "out_of_range"_code, node->range,
          fmt::format("a set can only contain integers from 0 to {}", kMostInSet),
          "larger ranges work in loops (`each n in 1..100`, `sum of n for n in 1..100`), choices and rolls");
    return poison(rule.sema, node->range);
  }
  const Int low = std::max<Int>(0, a->type.lo);
  return make(rule.sema, ExprKind::numbers,
              set_type(integer_type(low, std::max(low, std::min(kMostInSet, b->type.hi)))), node->range, {a, b});
}

// Builds `random of lo..hi`. The result is none if the range is empty.
static const Expr* random_number(RuleContext& rule, const Node* range) {
  const Expr *lo = integer(rule, view::range_lit(range).lo()), *hi = integer(rule, view::range_lit(range).hi());
  if (is_poison(lo) || is_poison(hi) || !effect(rule, range->range, "drawing at random"))
    return poison(rule.sema, range->range);
  const Type drawn = integer_type(lo->type.lo, std::max(lo->type.lo, hi->type.hi));
  const Expr* roll = make(rule.sema, ExprKind::roll, drawn, range->range, {lo, hi});
  if (lo->kind == ExprKind::constant && hi->kind == ExprKind::constant && lo->value <= hi->value) return roll;
  const Expr* some = make(rule.sema, ExprKind::less_equal, boolean_type(), range->range, {lo, hi});
  return make(rule.sema, ExprKind::conditional, with_none(drawn), range->range,
              {some, roll, constant(rule.sema, with_none(drawn), kNone, range->range)});
}

const Expr* where_expr(RuleContext& rule, const Node* node, const Type* expected) {
  const Node* of = view::where_expr(node).set();
  // Reports the likely mistake `first of (c in S where C)`.
  if (of && of->kind == NodeKind::binary && of->text == "in" && view::binary(of).left()->kind == NodeKind::name_ref) {
    const auto text = [&](const Node* n) { return rule.sema.diagnostics.sources().text(n->range); };
    error(rule.sema, "wrong_type"_code, of->range,
          fmt::format("expected a set before `where`, found condition `{}`", text(of)),
          fmt::format("write `({} where …)`, where `it` is the element and its attributes need no prefix",
                      text(view::binary(of).right())));
    return poison(rule.sema, node->range);
  }
  if (rule.walked == node) rule.walked = of;
  const Expr* s = expr(rule, of, expected);
  if (s->type.kind != TypeKind::list) s = as_set(rule.sema, s);
  if (is_poison(s)) return s;
  Scoped scope(rule);
  const Walked w = walked_through(rule, s, "", node->range, nullptr);
  Pure pure(rule);
  rule.elements.push_back({w.element, true});
  const Expr* c = condition(rule, view::where_expr(node).condition());
  if (is_poison(c)) return c;
  if (w.list) return records_where(rule.sema, w, c, node->range);
  Expr* e = make(rule.sema, ExprKind::filter, filtered(rule, s->type, w.local, c), node->range, {s, c});
  e->local = w.local;
  return e;
}

const Expr* best_expr(RuleContext& rule, const Node* node) {
  const Expr* s = set(rule, view::best_expr(node).set());
  if (is_poison(s)) return s;
  Expr* e = make(rule.sema, ExprKind::best, s->type, node->range, {s});
  e->value = node->number;
  Scoped scope(rule);
  e->local = add_local(rule, "it", element_type(s->type), node->range);
  Pure pure(rule);
  rule.elements.push_back({local(rule, e->local, node->range), true});
  const std::span<Node* const> keys = view::best_expr(node).keys();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const Expr* key = expr(rule, keys[i]);

    if (!is_poison(key) && key->type.kind == TypeKind::boolean)
      key = make(rule.sema, ExprKind::conditional, integer_type(0, 1), key->range,
                 {key, integer_constant(rule.sema, 1, key->range), integer_constant(rule.sema, 0, key->range)});
    key = to_int(rule, key);
    if (is_poison(key)) return key;
    e->args.push_back(key);
  }
  return e;
}

// Visits the names in the condition of `any x in S where C has D`, except those that refer to the element of an inner
// expression.
template <class F>
static void each_bare_name(const Node* node, const F& f) {
  if (!node) return;
  switch (node->kind) {
    case NodeKind::name_ref: return f(node);
    case NodeKind::where_expr:
    case NodeKind::best_expr: return each_bare_name(view::among(node).set(), f);
    case NodeKind::quantifier:
    case NodeKind::aggregate:
    case NodeKind::size_of:
    case NodeKind::is_expr: return;
    default:
      for (const Node* c : node->children) each_bare_name(c, f);
  }
}

const Expr* quantifier(RuleContext& rule, const Node* node) {
  const view::quantifier its(node);
  const Expr* s = collection(rule, its.domain());
  if (is_poison(s)) return s;
  Scoped scope(rule);
  const Node* variable = its.variable();
  const std::size_t outer = rule.elements.size();
  const Walked w = walked_through(rule, s, variable ? variable->text : std::string_view(),
                                  variable ? variable->range : node->range, nullptr);
  Pure pure(rule);
  rule.elements.push_back({w.element, !variable});
  const Expr* where = its.where() ? condition(rule, its.where()) : nullptr;
  if (where) narrow(rule, where, true);
  if (variable)
    each_bare_name(its.condition(), [&](const Node* n) {
      const auto has_it = [&](const Element& e) { return has_member(rule.sema, e.value->type, n->text); };
      const auto end = rule.elements.begin() + static_cast<std::ptrdiff_t>(outer);
      if (find_binding(rule, n->text) || !has_member(rule.sema, w.element->type, n->text) ||
          std::none_of(rule.elements.begin(), end, has_it))
        return;
      error(rule.sema, "ambiguous_name"_code, n->range,
            fmt::format("ambiguous name `{}`: it can refer to `{}` or to an outer element", n->text, variable->text),
            fmt::format("write `{}.{}`{}", variable->text, n->text,
                        rule.self.valid() ? fmt::format(" or `this.{}`", n->text) : ""));
    });
  const Expr* has = its.condition() ? condition(rule, its.condition()) : nullptr;
  if (where && is_poison(where)) return where;
  if (has && is_poison(has)) return has;
  if (node->text == "the") {
    if (s->type.kind == TypeKind::list) return as_set(rule.sema, s);
    Expr* f = make(rule.sema, ExprKind::filter, filtered(rule, s->type, w.local, has), node->range,
                   {s, has ? has : boolean_constant(rule.sema, true, node->range)});
    f->local = w.local;
    return make(rule.sema, ExprKind::pick_only, element_type(f->type), node->range, {f});
  }
  if (!has) has = boolean_constant(rule.sema, true, node->range);
  const bool every = node->text == "every";
  const Expr* c = every ? negated(rule.sema, has) : has;
  if (where) c = make(rule.sema, ExprKind::logical_and, boolean_type(), node->range, {where, c});
  Expr* e = make(rule.sema, ExprKind::exists, boolean_type(), node->range, {w.domain, c});
  e->local = w.local;
  if (w.list) rule.walked_lists[w.local.index] = w.list;
  return node->text == "any" ? e : negated(rule.sema, e);
}

static const Expr* noun_set(RuleContext& rule, const Node* noun) {
  if (!noun) return poison(rule.sema, {});
  if (noun->text == "player") return make(rule.sema, ExprKind::players_in, set_type(player_type()), noun->range);
  if (noun->text == "card") return universe(rule.sema, card_type(), noun->range);
  if (const auto e = rule.sema.names.enums.find(noun->text); e != rule.sema.names.enums.end())
    return universe(rule.sema, enum_type(e->second), noun->range);
  if (const auto t = rule.sema.names.card_types.find(noun->text); t != rule.sema.names.card_types.end())
    return universe(rule.sema, card_type(t->second), noun->range);
  error(rule.sema, "unknown_name"_code, noun->range, fmt::format("unknown noun `{}`", noun->text),
        did_you_mean(noun->text, {"player", "card"}));
  return poison(rule.sema, noun->range);
}

// Builds `every player is Sibling` and `the player where C`.
const Expr* quantifier_is(RuleContext& rule, const Node* node) {
  const view::quantifier_is its(node);
  const Expr* s = noun_set(rule, its.noun());
  if (is_poison(s)) return s;
  Scoped scope(rule);
  const LocalId x = add_local(rule, "it", element_type(s->type), node->range);
  Pure pure(rule);
  rule.elements.push_back({local(rule, x, node->range), true});
  const Expr* c = condition(rule, its.predicate());
  if (is_poison(c)) return c;
  if (node->text == "the") {
    Expr* f = make(rule.sema, ExprKind::filter, filtered(rule, s->type, x, c), node->range, {s, c});
    f->local = x;
    return make(rule.sema, ExprKind::pick_only, element_type(f->type), node->range, {f});
  }
  const bool every = node->text == "every";
  Expr* e = make(rule.sema, ExprKind::exists, boolean_type(), node->range, {s, every ? negated(rule.sema, c) : c});
  e->local = x;
  return node->text == "any" ? e : negated(rule.sema, e);
}

const Expr* aggregate(RuleContext& rule, const Node* node) {
  const Node* gens = view::aggregate(node).generators();
  if (!gens || gens->children.empty()) return poison(rule.sema, node->range);
  return aggregate_over(rule, node, 0);
}

static const Expr* aggregate_over(RuleContext& rule, const Node* node, std::size_t gen) {
  const Node* gens = view::aggregate(node).generators();
  const Node* g = view::list(gens).items(gen);
  if (!g) return poison(rule.sema, node->range);
  const std::string_view what = node->text;
  const Expr* s = collection(rule, view::gen(g).domain());
  const bool listed = !is_poison(s) && element_type(s->type).kind == TypeKind::listed;
  if (view::gen(g).after() && !listed) s = later_than(rule, view::gen(g).after(), s);
  if (is_poison(s)) return s;
  Scoped scope(rule);
  const Walked w = walked_through(rule, s, g->text, g->range, nullptr);
  const LocalId x = w.local;
  s = w.domain;
  if (always_on_board(rule, *s)) rule.narrowed.push_back(key_of(place_of(rule, local(rule, x, g->range), g->range)));
  Pure pure(rule);
  const bool last = gen + 1 == gens->children.size();
  const Expr* where = view::gen(g).after() && listed ? listed_after(rule, view::gen(g).after(), x, g->range) : nullptr;
  const Expr* body = nullptr;
  if (last) {
    if (view::aggregate(node).where()) {
      rule.elements.push_back({w.element, false});
      where = both(rule.sema, where, condition(rule, view::aggregate(node).where()));
      if (is_poison(where)) return where;
      narrow(rule, where, true);
    }
    const bool is_set = what == "union" || what == "set";
    body = what == "count" && !view::aggregate(node).body() ? nullptr : expr(rule, view::aggregate(node).body());
    if (body && is_poison(body)) return body;
    if (is_set)
      body = as_set(rule.sema, body);
    else if (what != "count" && what != "list") {
      if (what == "most" || what == "least") {
        if (body->type.kind == TypeKind::enumeration)
          body = make(rule.sema, ExprKind::number_of, body->type.optional ? with_none(integer_type()) : integer_type(),
                      body->range, {body});
        if (body->type.kind != TypeKind::integer) body = to_int(rule, body);
      } else {
        body = to_int(rule, body);
      }
    }
    if (body && is_poison(body)) return body;
  } else {
    body = aggregate_over(rule, node, gen + 1);
    if (is_poison(body)) return body;
  }
  if (what == "list") return list_of(rule, node, s, x, where, body, begins_at(rule, s, view::gen(g).domain()), !last);
  Expr* e = make(rule.sema, ExprKind::aggregate, integer_type(), node->range);
  e->local = x;
  if (what == "count") {
    const bool condition_body = last && body && body->type.kind == TypeKind::boolean;
    e->value = Int(last ? model::Aggregate::count : model::Aggregate::sum);
    e->args = {s, condition_body ? both(rule.sema, where, body) : where, last ? nullptr : body};
    e->type = integer_type(0, 100000);
    return e;
  }
  e->value = Int(what == "sum"     ? model::Aggregate::sum
                 : what == "most"  ? model::Aggregate::most
                 : what == "least" ? model::Aggregate::least
                                   : model::Aggregate::set_union);
  e->args = {s, where, body};
  if (what == "union" || what == "set")
    e->type = body->type;
  else if (what == "most" || what == "least") {
    e->type = is_duration(body->type) ? body->type : integer_type(body->type.lo, body->type.hi);
    e->type.optional = may_be_nothing(e) != nullptr;
  }
  return e;
}

// Returns the maximum number of elements of a set or list.
static Int most_of(RuleContext& rule, const Expr* over) {
  if (over->kind == ExprKind::set_constant) return static_cast<Int>(over->values.size());
  if (over->kind == ExprKind::filter) return most_of(rule, model::view::filter(over).domain());
  if (over->kind == ExprKind::numbers)
    return std::clamp<Int>(model::view::numbers(over).hi()->type.hi - model::view::numbers(over).lo()->type.lo + 1, 0,
                           kMostInList + 1);
  const Type element = element_type(over->type);
  if (over->type.kind == TypeKind::list) return is_sequence(rule, over) ? kMostInList : over->type.most;
  switch (element.kind) {
    case TypeKind::player: return rule.sema.players;
    case TypeKind::enumeration: return static_cast<Int>(rule.model.enums[element.ref].constants.size());
    case TypeKind::card: rule.sema.builders.cards(rule.sema); return static_cast<Int>(rule.model.cards.size());
    case TypeKind::kind: return static_cast<Int>(rule.model.kinds.size());
    case TypeKind::boolean:
    case TypeKind::integer:
#include "compiler/model/cases_of_non_scalars.def"
      break;
  }
  return kMostInSet + 1;
}

static const Expr* list_of(RuleContext& rule, const Node* node, const Expr* over, LocalId element, const Expr* where,
                           const Expr* body, const Expr* start, bool joins) {
  // A list of records is stored as one list for each field.
  if (body->kind == ExprKind::record && body->type.kind != TypeKind::map && !rule.constant) {
    if (!has_no_effects(rule.sema, body) || (where && !has_no_effects(rule.sema, where)))
      return poison(rule.sema, node->range);
    const auto shape = [&](const Type& t) {
      return list_type(joins ? *t.elem : t,
                       std::clamp<Int>((joins ? t.most : 1) * most_of(rule, over), 1, kMostInList));
    };
    return fieldwise(
        rule.sema, {body}, [&](const auto& x) { return list_of(rule, node, over, element, where, x[0], start, joins); },
        shape);
  }
  Type type = joins ? body->type : list_type(body->type, 1);
  if (!rule.constant) {
    const Type element = element_type(type);
    if (element.kind == TypeKind::boolean || element.kind == TypeKind::text || element.kind == TypeKind::nothing ||
        element.kind == TypeKind::record || element.kind == TypeKind::map)
      return unsupported(
          rule.sema, node, fmt::format("a list can't contain `{}`", show(rule.sema, element)),
          element.kind == TypeKind::boolean ? "use a set of the elements for which it is true: `players where …`" : "");
    if (!joins && is_sequence(rule, body)) return not_a_value(rule.sema, body);
    if (element.kind == TypeKind::list && element.elem->elem) {
      error(rule.sema, "wrong_type"_code, node->range,
            fmt::format("inner lists can only contain single values, not `{}`", show(rule.sema, *element.elem)));
      return poison(rule.sema, node->range);
    }
    type.most = std::max<Int>(1, std::min<Int>(kMostInList + 1, type.most * most_of(rule, over)));
    if (type.most > kMostInList) {
      error(rule.sema, "limit_exceeded"_code, node->range,
            fmt::format("this list could have more than {} elements", kMostInList),
            "use a smaller set or fewer nested loops");
      return poison(rule.sema, node->range);
    }
    if (!has_room(rule.sema, type, node->range)) return poison(rule.sema, node->range);
  }
  Expr* e = make(rule.sema, ExprKind::list_of, type, node->range, {over, where, body});
  if (start) e->args.push_back(start);
  e->local = element;
  e->value = joins;
  return e;
}

const Expr* subsets(RuleContext& rule, const Node* node) {
  const view::subsets its(node);
  const bool walked = std::exchange(rule.walked, nullptr) == node;
  const Expr *s = set(rule, its.set()), *least = integer(rule, its.lo()), *most = integer(rule, its.hi());
  for (const Expr* part : {s, least, most})
    if (is_poison(part)) return part;
  const Expr* e = make(rule.sema, ExprKind::subsets, list_type(s->type, 0), node->range, {s, least, most});
  return is_sequence(rule, e) && !walked ? not_a_value(rule.sema, e) : e;
}

// Returns the player with whom a loop over the set begins, or null if the loop begins at seat a.
static const Expr* begins_at(RuleContext& rule, const Expr* set, const Node* node) {
  if (rule.constant || element_type(set->type).kind != TypeKind::player || set->type.kind != TypeKind::set)
    return nullptr;
  const Expr* start = start_of(rule, node, node->range);
  return is_poison(start) || (start->kind == ExprKind::constant && start->value == 0) ? nullptr : start;
}

// ---------------------------------------------------------------- zones

std::optional<Where> zone_place(RuleContext& rule, const Node* node, bool report) {
  if (!node) return std::nullopt;
  const std::size_t before = rule.sema.errors;
  if (node->kind != NodeKind::name_ref && node->kind != NodeKind::member) {
    if (report) error(rule.sema, "not_a_zone"_code, node->range, "expected a zone", "for example `discard`, `p.hand`");
    return std::nullopt;
  }
  // A zone is expected here, so it takes precedence over an event or a value of the same name.
  if (node->kind == NodeKind::name_ref && !find_binding(rule, node->text)) {
    const bool bare = std::any_of(rule.elements.begin(), rule.elements.end(),
                                  [&](const Element& e) { return has_member(rule.sema, e.value->type, node->text); });
    if (auto z = rule.sema.names.table_zones.find(node->text); z != rule.sema.names.table_zones.end() && !bare) {
      rule.sema.used.insert(std::string(node->text));
      return Where{{model::ZoneId{z->second}, nullptr, nullptr}, node->range};
    }
    if (report && !bare && !rule.sema.names.table_variables.contains(node->text)) {
      if (silent_if_absent(rule, node)) return std::nullopt;
      std::vector<std::string> names;
      for (const auto& [n, id] : rule.sema.names.table_zones) names.push_back(n);
      std::string help = rule.sema.boards.names.contains(node->text)
                             ? "to put a card on a board, write `place x at c`; `cards on " + std::string(node->text) +
                                   "` is the set of cards on it"
                         : rule.sema.names.player_zones.contains(node->text)
                             ? fmt::format("it belongs to a player: write `me.{}` or `p.{}`", node->text, node->text)
                             : did_you_mean(node->text, names);
      error(rule.sema, "unknown_name"_code, node->range, fmt::format("unknown zone `{}`", node->text), help);
      return std::nullopt;
    }
  }
  if (!report && node->kind == NodeKind::member) {
    const Node* base = view::member(node).of();
    const bool of_area = std::any_of(rule.sema.areas.all.begin(), rule.sema.areas.all.end(),
                                     [&](const AreaInfo& a) { return a.zones.contains(node->text); });
    if ((!rule.sema.names.player_zones.contains(node->text) && !of_area) || !base) return std::nullopt;
  }
  if (!report && node->kind == NodeKind::name_ref) {
    const bool bare = std::any_of(rule.elements.begin(), rule.elements.end(),
                                  [&](const Element& e) { return has_member(rule.sema, e.value->type, node->text); });
    const bool of_area = std::any_of(rule.sema.areas.all.begin(), rule.sema.areas.all.end(),
                                     [&](const AreaInfo& a) { return a.zones.contains(node->text); });
    if (!bare || (!rule.sema.names.player_zones.contains(node->text) && !of_area)) return std::nullopt;
  }
  const Expr* e = expr(rule, node);
  if (e->kind == ExprKind::zone)
    return Where{{model::ZoneId{e->ref}, e->args.empty() ? nullptr : model::view::zone(e).owner(),
                  e->args.size() > 1 ? model::view::zone(e).copy() : nullptr},
                 node->range};
  if (report && rule.sema.errors == before && !is_poison(e))
    error(rule.sema, "not_a_zone"_code, node->range, "expected a zone", "for example `discard`, `p.hand`");
  return std::nullopt;
}

const Expr* top_expr(RuleContext& rule, const Node* node) {
  const view::top_expr its(node);
  auto w = zone_place(rule, its.zone(), true);
  if (!w) return poison(rule.sema, node->range);
  w->range = node->range;
  const model::Zone& zone = rule.model.zones[w->place.zone.index];
  const bool ordered = zone.shape == model::ZoneShape::pile || zone.shape == model::ZoneShape::row;
  if (!ordered && zone.shape != model::ZoneShape::slot) {
    error(rule.sema, "bad_zone"_code, node->range,
          fmt::format("`{}` has no {}, because it is not a pile", zone.name, node->text),
          "write `first of`, `random of` or `choose`");
    return poison(rule.sema, node->range);
  }
  if (zone.refill_from && !rule.scenario && !effect(rule, node->range, "taking from a pile that is refilled"))
    return poison(rule.sema, node->range);
  if (its.count()) {
    const Expr* n = integer(rule, its.count());
    if (is_poison(n)) return n;
    Expr* some = zone_expr(rule.sema, ExprKind::zone_top_n, *w, cards_in(rule.sema, w->place.zone.index), {n});
    if (node->text == "bottom") some->value = 1;
    return some;
  }
  return zone_expr(rule.sema, node->text == "bottom" ? ExprKind::zone_bottom : ExprKind::zone_top, *w,
                   card_in(rule.sema, w->place.zone.index, true));
}

const Expr* random_cards(RuleContext& rule, const Node* node) {
  if (!view::random_cards(node).count() || !view::random_cards(node).from()) return poison(rule.sema, node->range);
  if (node->number == 1) {   // `n cards from z`
    const Expr* n = integer(rule, view::random_cards(node).count());
    auto w = zone_place(rule, view::random_cards(node).from(), true);
    if (!w || is_poison(n)) return poison(rule.sema, node->range);
    w->range = node->range;
    if (rule.model.zones[w->place.zone.index].shape != model::ZoneShape::pile) {
      error(rule.sema, "bad_zone"_code, node->range, "`cards from` needs a pile",
            "write `n random cards from …`, or `choose` the cards first");
      return poison(rule.sema, node->range);
    }
    return zone_expr(rule.sema, ExprKind::zone_top_n, *w, cards_in(rule.sema, w->place.zone.index), {n});
  }
  if (!effect(rule, node->range, "taking at random")) return poison(rule.sema, node->range);
  const Expr* n = integer(rule, view::random_cards(node).count());
  const Expr* s = set(rule, view::random_cards(node).from());
  if (is_poison(n) || is_poison(s)) return poison(rule.sema, node->range);
  if (element_type(s->type).kind != TypeKind::card) {
    error(rule.sema, "wrong_type"_code, view::random_cards(node).from()->range, "expected a set of cards");
    return poison(rule.sema, node->range);
  }
  return make(rule.sema, ExprKind::random_n, s->type, node->range, {s, n});
}

const Expr* all_but(RuleContext& rule, const Node* node) {
  const view::all_but its(node);
  const Expr* s = its.set() ? set(rule, its.set()) : nullptr;
  const Expr* except = as_set(rule.sema, expr(rule, its.except()));
  if (is_poison(except)) return except;
  if (!s) s = universe(rule.sema, element_type(except->type), node->range);
  if (is_poison(s)) return s;
  if (!same_type(rule.sema, s->type, except->type)) {
    error(rule.sema, "wrong_type"_code, node->range,
          fmt::format("can't exclude `{}` from `{}`", show(rule.sema, except->type), show(rule.sema, s->type)));
    return poison(rule.sema, node->range);
  }
  return make(rule.sema, ExprKind::set_minus, s->type, node->range, {s, except});
}

// Builds `all Cards` for a deck, which includes the cards in all zones, or `all Apple` for a card.
static const Expr* all_cards_of(RuleContext& rule, const Node* node, const Node* of) {
  if (of->kind == NodeKind::name_ref)
    if (auto d = rule.sema.cards.decks.find(of->text); d != rule.sema.cards.decks.end() && !d->second.pool) {
      rule.sema.builders.cards(rule.sema);
      Expr* e = make(rule.sema, ExprKind::set_constant, set_type(card_type()), node->range);
      std::set<std::uint32_t> kinds;
      for (const auto& [k, copies] : d->second.copies) kinds.insert(k);
      for (std::size_t c = 0; c < rule.model.cards.size(); ++c)
        if (kinds.contains(rule.model.cards[c].kind.index)) e->values.push_back(static_cast<Int>(c));
      e->type = set_type(card_of_kinds(rule.sema, {kinds.begin(), kinds.end()}));
      return e;
    }
  const Expr* s = set(rule, of);
  if (is_poison(s) || s->kind != ExprKind::set_of_one ||
      model::view::set_of_one(s).element()->kind != ExprKind::constant ||
      model::view::set_of_one(s).element()->type.kind != TypeKind::kind)
    return s;
  rule.sema.builders.cards(rule.sema);
  const auto kind = static_cast<std::uint32_t>(model::view::set_of_one(s).element()->value);   // `all Apple`
  Expr* e = make(rule.sema, ExprKind::set_constant, set_type(card_of_kind(rule.sema, kind)), node->range);
  for (std::size_t c = 0; c < rule.model.cards.size(); ++c)
    if (rule.model.cards[c].kind.index == kind) e->values.push_back(static_cast<Int>(c));
  return e;
}

// Builds the card in a slot, or the only card in a set.
static const Expr* card_of(RuleContext& rule, const Node* node, const Node* of) {
  auto w = zone_place(rule, of, false);
  if (w) {
    w->range = node->range;
    const model::Zone& z = rule.model.zones[w->place.zone.index];
    if (z.shape == model::ZoneShape::slot)
      return zone_expr(rule.sema, ExprKind::card_of_slot, *w, card_in(rule.sema, w->place.zone.index));
    error(rule.sema, "bad_zone"_code, node->range,
          fmt::format("`{}` is not a slot, so it can have several cards", z.name),
          "write `top of`, `first of`, `only of` or `random of`");
    return poison(rule.sema, node->range);
  }
  const Expr* s = set(rule, of);
  if (is_poison(s)) return s;
  return make(rule.sema, ExprKind::pick_only, element_type(s->type), node->range, {s});
}

static const Expr* index_of(RuleContext& rule, const Node* node, const Node* of) {
  const Expr* e = expr(rule, of);
  if (is_poison(e)) return e;
  if (e->type.kind == TypeKind::player)
    return make(rule.sema, ExprKind::seat_of, integer_type(0, rule.sema.players - 1), node->range, {e});
  if (e->type.kind == TypeKind::integer && e->type.ref < rule.sema.areas.all.size())
    return index_of_part(rule, e, node->range);
  if (e->type.kind != TypeKind::enumeration) {
    error(rule.sema, "wrong_type"_code, of->range, fmt::format("`{}` has no index", show(rule.sema, e->type)),
          "only enum constants, players and parts of areas have an index");
    return poison(rule.sema, node->range);
  }
  const model::Enum& en = rule.model.enums[e->type.ref];
  if (!en.numbered)
    return make(rule.sema, ExprKind::number_of, integer_type(0, static_cast<Int>(en.constants.size())), node->range,
                {e});
  // The index is the position of the constant, not its number.
  const Expr* index = integer_constant(rule.sema, 0, node->range);
  for (std::size_t i = en.constants.size(); i-- > 1;)
    index = make(rule.sema, ExprKind::conditional, integer_type(0, static_cast<Int>(en.constants.size())), node->range,
                 {make(rule.sema, ExprKind::equal, boolean_type(), node->range,
                       {e, constant(rule.sema, enum_type(e->type.ref), static_cast<Int>(i), node->range)}),
                  integer_constant(rule.sema, static_cast<Int>(i), node->range), index});
  return index;
}

// Builds the first or last element of a list.
static const Expr* end_of_list(RuleContext& rule, const Expr* s, bool last, Range range) {
  if (is_sequence(rule, s)) return not_a_value(rule.sema, s);
  if (is_record_list(rule.sema, s->type)) {   // a record can't be none, so an empty list traps at run time
    if (!has_no_effects(rule.sema, s)) return poison(rule.sema, range);
    const Expr* end = make(rule.sema, ExprKind::subtract, integer_type(), range,
                           {size_of(rule, s, range), integer_constant(rule.sema, 1, range)});
    return record_at(rule, s, last ? end : integer_constant(rule.sema, 0, range), range);
  }
  const Type element = element_type(s->type);
  Expr* end = make(rule.sema, ExprKind::list_end, element.elem ? element : with_none(element), range, {s});
  end->value = last;
  return end;
}

const Expr* pick(RuleContext& rule, const Node* node) {
  const std::string_view what = node->text;
  const Node* of = view::pick(node).of();
  if (!of) return poison(rule.sema, node->range);
  if (what == "all") return all_cards_of(rule, node, of);
  if (what == "card") return card_of(rule, node, of);
  if (what == "index") return index_of(rule, node, of);
  if (what == "random" && of->kind == NodeKind::range_lit) return random_number(rule, of);
  const Expr* s = expr(rule, of);
  if (s->type.kind == TypeKind::list && (what == "first" || what == "last") &&
      element_type(s->type).kind != TypeKind::listed)
    return end_of_list(rule, s, what == "last", node->range);
  s = as_set(rule.sema, s);
  if (is_poison(s)) return s;
  if (what == "random" && !effect(rule, node->range, "drawing at random")) return poison(rule.sema, node->range);
  const bool never_empty = s->kind == ExprKind::players_in || s->kind == ExprKind::everyone ||
                           (s->kind == ExprKind::set_constant && !s->values.empty());
  Type t = element_type(s->type);
  if (what == "only") return make(rule.sema, ExprKind::pick_only, t, node->range, {s});
  if (!never_empty) t.optional = true;
  if (what == "random") return make(rule.sema, ExprKind::pick_random, t, node->range, {s});
  Expr* end = make(rule.sema, what == "first" ? ExprKind::pick_first : ExprKind::pick_last, t, node->range, {s});
  if (const Expr* start = begins_at(rule, s, of)) end->args.push_back(start);
  return end;
}

// Builds the index of a part in its area: 2 for `nest[2]`. The parts of each player are numbered separately.
static const Expr* index_of_part(RuleContext& rule, const Expr* part, Range range) {
  const Expr* e = to_amount(rule, part);
  if (is_poison(e)) return e;
  const AreaInfo& area = rule.sema.areas.all[part->type.ref];
  if (area.each == 0)
    return make(rule.sema, ExprKind::add, integer_type(part->type.lo, part->type.hi), range,
                {e, integer_constant(rule.sema, 0, range)});
  const Expr* from_nought =
      make(rule.sema, ExprKind::subtract, integer_type(), range, {e, integer_constant(rule.sema, 1, range)});
  const Expr* among = make(rule.sema, ExprKind::modulo, integer_type(0, area.each - 1), range,
                           {from_nought, integer_constant(rule.sema, area.each, range)});
  return make(rule.sema, ExprKind::add, integer_type(1, area.each), range,
              {among, integer_constant(rule.sema, 1, range)});
}

const Expr* later_than(RuleContext& rule, const Node* after, const Expr* set) {
  if (is_poison(set)) return set;
  if (set->type.kind == TypeKind::list)
    return unsupported(rule.sema, after, "`after` is only allowed in a loop over a set, not over a list",
                       "write `each x in l at i, …` and compare the positions");
  const Type element = element_type(set->type);
  const Expr* than = expr(rule, after, &element);
  if (is_poison(than)) return than;
  than = convert(rule, than, element);
  if (is_poison(than)) return than;
  Expr* later = make(rule.sema, ExprKind::filter, set->type, after->range);
  later->local = add_local(rule, "", element, after->range);
  later->args = {set, make(rule.sema, ExprKind::less, boolean_type(), after->range,
                           {than, local(rule, later->local, after->range)})};
  return later;
}

// Builds `after` in a loop over a list of sets.
const Expr* listed_after(RuleContext& rule, const Node* after, LocalId element, Range range) {
  const Expr* than = expr(rule, after);
  const Expr* position = raw_local(rule, element, range);
  if (is_poison(than)) return than;
  if (than->kind != ExprKind::listed_set || than->ref != position->type.ref) {
    error(rule.sema, "wrong_type"_code, after->range,
          fmt::format("expected an element of `{}` after `after`", rule.model.set_lists[position->type.ref].name));
    return poison(rule.sema, after->range);
  }
  return make(rule.sema, ExprKind::less, boolean_type(), after->range,
              {model::view::listed_set(than).position(), position});
}

}   // namespace cardwright::sema
