// Dispatches the node of each expression to the file that handles its kind, and resolves unqualified names.
// Input:  nodes.
// Output: Model expressions, or poison after an error.
#include "compiler/sema/expressions/dispatch.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/sema/operations/board_types.h"
#include "compiler/sema/operations/locals.h"
#include "compiler/sema/operations/sequences.h"
#include "compiler/sema/expressions/calls.h"
#include "compiler/sema/expressions/comparisons.h"
#include "compiler/sema/expressions/descriptions.h"
#include "compiler/sema/expressions/consts.h"
#include "compiler/sema/expressions/durations.h"
#include "compiler/sema/expressions/expressions.h"
#include "compiler/sema/expressions/members.h"
#include "compiler/sema/expressions/operators.h"
#include "compiler/sema/expressions/sets.h"
#include "compiler/sema/expressions/supposing.h"
#include "compiler/sema/expressions/texts.h"
#include "compiler/sema/expressions/type_names.h"
#include "compiler/sema/operations/convert.h"
#include "compiler/sema/operations/lists.h"
#include "compiler/sema/operations/logic.h"
#include "compiler/sema/operations/names.h"
#include "compiler/sema/operations/records.h"
#include "compiler/sema/options/tree_constants.h"
#include "compiler/sema/options/units.h"
#include "compiler/sema/symbols/areas.h"
#include "compiler/sema/symbols/card_types.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"
#include "compiler/sema/symbols/types.h"

namespace cardwright::sema {

// Reports an assertion of a scenario that is used as a condition: `a loses or b wins`, `not (a may pass)`.
static const Expr* claim_as_condition(RuleContext& rule, const Node* node) {
  const view::claim its(node);
  const std::string text(rule.sema.diagnostics.sources().text(node->range)),
      who = its.subject() ? std::string(rule.sema.diagnostics.sources().text(its.subject()->range)) : "a";
  const bool ends = node->text == "wins" || node->text == "loses",
             offered = node->text == "may" || node->text == "can't";
  if (!rule.scenario)
    error(rule.sema, "misplaced"_code, node->range, fmt::format("`{}` is allowed only in scenarios", text),
          ends ? fmt::format("use `winners {}` to end the game", who) : "");
  else
    error(rule.sema, "bad_scenario"_code, node->range,
          fmt::format("the assertion `{}` can't be combined with `not` or `or`", text),
          ends      ? fmt::format("join assertions with `and`; `{} {}` means that the game is over and {}", who,
                             node->text == "wins" ? "loses" : "wins",
                             node->text == "wins" ? "others have won" : "they have won")
          : offered ? fmt::format("join assertions with `and`; the opposite is `{} {} …`", who,
                                  node->text == "may" ? "can't" : "may")
                    : "join assertions with `and`");
  return poison(rule.sema, node->range);
}

// Resolves a call. A card description such as `Chip(worth: 3)` has the same syntax, and denotes the matching card with
// the lowest id.
static const Expr* call_or_card(RuleContext& rule, const Node* node) {
  if (const Expr* such = such_cards(rule, node)) {
    if (is_poison(such)) return such;
    return constant(rule.sema, element_type(such->type), such->values.front(), node->range);
  }
  return call(rule, node, false);
}

static const Expr* unary(RuleContext& rule, const Node* node) {
  if (node->text == "not") return negated(rule.sema, condition(rule, view::unary(node).operand()));
  const Expr* e = expr(rule, view::unary(node).operand());
  if (const Expr* offset = is_poison(e) ? nullptr : as_offset(rule, e)) {
    if (is_poison(offset)) return offset;
    const auto negative = [&](const Expr* x) {
      return make(rule.sema, ExprKind::negate, integer_type(), node->range, {x});
    };
    return node->text == "+" ? offset
                             : sema::offset(rule.sema, negative(model::view::record(offset).fields(0)),
                                            negative(model::view::record(offset).fields(1)), node->range);
  }
  e = to_amount(rule, e);   // the amount may be a duration: `by -50 ms`
  if (is_poison(e)) return e;
  if (node->text == "+") return e;
  const Type negative = is_duration(e->type) ? e->type : integer_type(-e->type.hi, -e->type.lo);
  if (e->kind == ExprKind::constant)
    return is_duration(e->type) ? constant(rule.sema, e->type, -e->value, node->range)
                                : integer_constant(rule.sema, -e->value, node->range);
  return make(rule.sema, ExprKind::negate, negative, node->range, {e});
}

static const Expr* clockwise_expr(RuleContext& rule, const Node* node, const Type* expected) {
  const Expr* s = expr(rule, view::clockwise_expr(node).set(), expected);
  if (is_poison(s) || (s->type.kind == TypeKind::set && element_type(s->type).kind == TypeKind::player)) return s;
  error(rule.sema, "wrong_type"_code, node->range, "`clockwise` needs a set of players",
        "`each p in players clockwise from q`");
  return poison(rule.sema, node->range);
}

// Handles `size(x in S where C)`.
static const Expr* size_where(RuleContext& rule, const Node* node) {
  const view::size_of its(node);
  const Expr* s = collection(rule, its.domain());
  if (is_poison(s)) return s;
  Scoped scope(rule);
  const LocalId x = bind(rule, its.variable()->text, element_type(s->type), its.variable()->range);
  Pure pure(rule);
  // Because the element has a name, `it` still refers to an outer element: `players with most size(v in players where
  // v.vote == it)`.
  const bool outer = std::any_of(rule.elements.begin(), rule.elements.end(), [](const Element& e) { return e.is_it; });
  rule.elements.push_back({local(rule, x, node->range), !outer});
  const Expr* c = condition(rule, its.condition());
  if (is_poison(c)) return c;
  const bool walked = is_sequence(rule, s);
  Expr* f = make(rule.sema, walked ? ExprKind::aggregate : ExprKind::filter, walked ? integer_type(0, 100000) : s->type,
                 node->range, {s, c});
  f->local = x;
  if (!walked) return size_of(rule, f, node->range);
  f->args.push_back(nullptr);
  f->value = Int(model::Aggregate::count);
  return f;
}

static const Expr* size_of_expr(RuleContext& rule, const Node* node) {
  if (node->children.size() >= 3 && view::size_of(node).domain()) return size_where(rule, node);
  const Expr* of = expr(rule, view::size_of(node).of());
  if (is_poison(of)) return of;
  return size_of(rule, of, node->range);
}

static const Expr* roll_expr(RuleContext& rule, const Node* node) {
  const Node* of = view::roll_expr(node).domain();
  if (!of || !effect(rule, node->range, "rolling")) return poison(rule.sema, node->range);
  if (of->kind == NodeKind::range_lit) {
    const Expr *lo = integer(rule, view::range_lit(of).lo()), *hi = integer(rule, view::range_lit(of).hi());
    if (is_poison(lo) || is_poison(hi)) return poison(rule.sema, node->range);
    return make(rule.sema, ExprKind::roll, integer_type(lo->type.lo, hi->type.hi), node->range, {lo, hi});
  }
  if (of->kind == NodeKind::name_ref && rule.sema.names.enums.contains(of->text) && !find_binding(rule, of->text)) {
    const std::uint32_t e = rule.sema.names.enums.find(of->text)->second;
    const Expr* all = universe(rule.sema, enum_type(e), node->range);
    return make(rule.sema, ExprKind::pick_random, enum_type(e), node->range, {all});
  }
  if (const Expr* dice = expr(rule, of); is_poison(dice) || dice_of(rule.sema, dice->type)) {
    if (!is_poison(dice))
      error(rule.sema, "wrong_type"_code, node->range, "a roll of dice must be a separate statement",
            "use `roll d`, then read `d.face`");
    return poison(rule.sema, node->range);
  }
  const Expr* n = integer(rule, of);   // the operand of `roll 6`
  if (is_poison(n)) return n;
  return make(rule.sema, ExprKind::roll, integer_type(1, n->type.hi), node->range,
              {integer_constant(rule.sema, 1, node->range), n});
}

static const Expr* during_expr(RuleContext& rule, const Node* node) {
  if (auto w = rule.sema.names.windows.find(node->text); w != rule.sema.names.windows.end()) {
    Expr* e = make(rule.sema, ExprKind::during_window, boolean_type(), node->range);
    e->ref = w->second;
    return e;
  }
  if (auto ev = rule.sema.names.events.find(node->text); ev != rule.sema.names.events.end()) {
    const Expr* all = nullptr;
    for (std::uint32_t id : ev->second) {
      Expr* e = make(rule.sema, ExprKind::during_event, boolean_type(), node->range);
      e->ref = id;
      all = all ? either(rule.sema, all, e, node->range) : e;
    }
    return all;
  }
  if (silent_if_absent(rule, node)) return poison(rule.sema, node->range);
  error(rule.sema, "unknown_name"_code, node->range, fmt::format("unknown event or window `{}`", node->text));
  return poison(rule.sema, node->range);
}

static const Expr* scenario_card(RuleContext& rule, const Node* node) {
  // `eight of spades` is the only card with these attributes. `a Ducky` is allowed only in scenarios.
  auto match = card_match(rule, node);
  if (!match) return poison(rule.sema, node->range);
  const Expr* e = cards_that_match(rule.sema, *match);
  const Type card = element_type(e->type);
  if (e->values.size() == 1) return constant(rule.sema, card, e->values[0], node->range);
  return make(rule.sema, ExprKind::pick_only, card, node->range, {e});
}

// ---------------------------------------------------------------- names and members

// The functions below resolve an unqualified name and are tried in this order. Each of them returns null if it does not
// apply. The last parameter is the expected type (for a set, the type of its elements), or null.

// Resolves a parameter, a local or a loop variable.
static const Expr* bound_name(RuleContext& rule, const Node* node, const Type*) {
  const std::string_view name = node->text;
  const Range range = node->range;
  if (const Binding* b = find_binding(rule, name)) {
    if (b->value) return b->value->kind == ExprKind::record ? again(rule, b->value, range) : b->value;
    for (const Element& el : rule.elements)
      if (el.is_it && el.value->local != b->local && has_member(rule.sema, el.value->type, name) &&
          !in_library(rule.sema, range)) {
        error(rule.sema, "ambiguous_name"_code, range,
              fmt::format("ambiguous name `{}`: both an attribute of `it` and a name in the enclosing scope", name),
              fmt::format("use `it.{}`, or choose another name", name));
        return poison(rule.sema, range);
      }
    return local(rule, b->local, range);
  }
  return nullptr;
}

// Resolves `here`: the part of an area that contains the card with this rule.
static const Expr* here(RuleContext& rule, const Node* node) {
  const Range range = node->range;
  const bool card = rule.self.valid() && rule.carrier.kind == CarrierKind::card && rule.carrier.zone.valid();
  for (std::uint32_t a = 0; card && a < rule.sema.areas.all.size(); ++a)
    for (const auto& [zone, id] : rule.sema.areas.all[a].zones)
      if (id == rule.carrier.zone.index) {
        if (!rule.in_effect) return part_of_this(rule, a, range);
        if (!rule.here.valid()) rule.here = add_local(rule, "here", area_type(rule.sema, a), range);
        return local(rule, rule.here, range);
      }
  error(rule.sema, "no_subject_in_scope"_code, range, "`here` is not defined in this context",
        "`here` is the part of an area that contains the card; use it in a `while in` rule");
  return poison(rule.sema, range);
}

// Resolves a predefined word: `me`, `this`, `it`, `players` and so on.
static const Expr* word_of_rules(RuleContext& rule, const Node* node, const Type*) {
  const std::string_view name = node->text;
  const Range range = node->range;
  if (name == "me") return me(rule, node);
  if (name == "this") {
    if (rule.self.valid()) return local(rule, rule.self, range);
    error(rule.sema, "no_subject_in_scope"_code, range,
          rule.borrowed ? "no card in scope for `this`: the rule belongs to a character that `has` the card"
                        : "no card in scope for `this`",
          rule.borrowed ? "" : "use it in the rules of a card");
    return poison(rule.sema, range);
  }
  if (name == "here") return here(rule, node);
  if (name == "it") {
    for (auto it = rule.elements.rbegin(); it != rule.elements.rend(); ++it)
      if (it->is_it) return it->value->kind == ExprKind::local ? local(rule, it->value->local, range) : it->value;
    error(rule.sema, "no_subject_in_scope"_code, range, "no element in scope for `it`",
          "use it in `where`, where it is the element of a set");
    return poison(rule.sema, range);
  }
  if (name == "active") {
    if (rule.sema.flow.has_turns && !rule.before_game)
      return make(rule.sema, ExprKind::active_player, player_type(), range);
    error(rule.sema, "no_subject_in_scope"_code, range,
          rule.sema.flow.has_turns ? "there is no `active` player during setup"
                                   : "there is no `active` player, because the game has no turns",
          "use a parameter or a variable for the player");
    return poison(rule.sema, range);
  }
  if (name == "players") return make(rule.sema, ExprKind::players_in, set_type(player_type()), range);
  if (name == "everyone") return make(rule.sema, ExprKind::everyone, set_type(player_type()), range);
  if (name == "nobody") return make(rule.sema, ExprKind::set_constant, set_type(player_type()), range);
  if (name == "others") {
    const Expr* m = me(rule, node);
    if (is_poison(m)) return m;
    return make(rule.sema, ExprKind::set_minus, set_type(player_type()), range,
                {make(rule.sema, ExprKind::players_in, set_type(player_type()), range),
                 make(rule.sema, ExprKind::set_of_one, set_type(player_type()), range, {m})});
  }
  if (name == "_") {
    error(rule.sema, "no_subject_in_scope"_code, range, "`_` is allowed only in patterns");
    return poison(rule.sema, range);
  }
  return nullptr;
}

// Returns whether the name is a value without parameters. Such a value is read without parentheses.
static bool is_bare_value(const SemaContext& sema, std::string_view name) {
  const auto v = sema.names.values.find(name);
  return v != sema.names.values.end() && sema.rules.values[v->second].names.empty();
}

// Resolves an attribute of the current element of a set.
static const Expr* bare_attribute(RuleContext& rule, const Node* node, const Type*) {
  const std::string_view name = node->text;
  const Range range = node->range;
  for (auto it = rule.elements.rbegin(); it != rule.elements.rend(); ++it) {
    if (!has_member(rule.sema, it->value->type, name)) continue;
    const bool outside =
        it->is_it && (rule.sema.names.table_variables.contains(name) || rule.sema.records.of_table.contains(name) ||
                      rule.sema.names.table_zones.contains(name) || rule.sema.constants.declared.contains(name) ||
                      rule.sema.options.chosen.contains(name) || is_bare_value(rule.sema, name));
    if (outside && in_library(rule.sema, range)) {   // a library can't refer to names in a game
      if (!is_library_member(rule.sema, it->value->type, name)) continue;
    } else if (outside) {
      error(rule.sema, "ambiguous_name"_code, range,
            fmt::format("ambiguous name `{}`: both an attribute of `it` and a name in the enclosing scope", name),
            fmt::format("use `it.{}`", name));
      return poison(rule.sema, range);
    }
    return member_of(rule, it->value->kind == ExprKind::local ? local(rule, it->value->local, range) : it->value, name,
                     range, range);
  }
  return nullptr;
}

// Resolves a constant of the expected type. In a scenario, also resolves a seat.
static const Expr* wanted_constant(RuleContext& rule, const Node* node, const Type* wanted) {
  const std::string_view name = node->text;
  const Range range = node->range;
  bool found = false;
  if (wanted && wanted->kind == TypeKind::enumeration && !rule.sema.names.table_variables.contains(name))
    if (const Expr* e = enum_constant(rule.sema, name, range, wanted, false, found);
        found && e->type.ref == wanted->ref)
      return e;
  if (wanted && wanted->kind == TypeKind::kind)
    if (auto k = rule.sema.names.kinds.find(name); k != rule.sema.names.kinds.end() && k->second != ~0u)
      return constant(rule.sema, kind_type(), k->second, range);
  if (rule.scenario)
    if (auto s = seat(rule.sema, node, false)) return constant(rule.sema, player_type(), *s, range);
  return nullptr;
}

// Resolves a variable, record or zone of the table.
static const Expr* of_table(RuleContext& rule, const Node* node, const Type*) {
  const std::string_view name = node->text;
  const Range range = node->range;
  if (auto v = rule.sema.names.table_variables.find(name); v != rule.sema.names.table_variables.end()) {
    rule.sema.used.insert(std::string(name));
    return variable_of(rule, v->second, range, {});
  }
  if (auto r = rule.sema.records.of_table.find(name); r != rule.sema.records.of_table.end())
    return spread(rule.sema, r->first, r->second, range, [&](const std::string& leaf, const Type&) {
      return variable_of(rule, rule.sema.names.table_variables.find(leaf)->second, range, {});
    });
  if (auto z = rule.sema.names.table_zones.find(name); z != rule.sema.names.table_zones.end()) {
    rule.sema.used.insert(std::string(name));
    Expr* e = make(rule.sema, ExprKind::zone, cards_in(rule.sema, z->second), range);
    e->ref = z->second;
    return e;
  }
  return nullptr;
}

static const Expr* const_or_option(RuleContext& rule, const Node* node, const Type* wanted) {
  const std::string_view name = node->text;
  const Range range = node->range;
  bool found = false;
  if (rule.sema.constants.declared.contains(name) || rule.sema.constants.known.contains(name) ||
      rule.sema.options.chosen.contains(name)) {
    rule.sema.used.insert(std::string(name));
    if (auto f = tree_name(rule.sema, node, false)) {
      switch (f->kind) {
        case TreeConstant::Kind::integer: return integer_constant(rule.sema, f->value, range);
        case TreeConstant::Kind::boolean: return boolean_constant(rule.sema, f->value != 0, range);
        case TreeConstant::Kind::enumeration: return constant(rule.sema, enum_type(f->ref), f->value, range);
        case TreeConstant::Kind::none:
          return constant(rule.sema, with_none(plain_type(TypeKind::nothing)), kNone, range);
        case TreeConstant::Kind::set: {
          Expr* e = make(rule.sema, ExprKind::set_constant, f->type.value_or(Type{}), range);
          e->values = f->values;
          if (f->type && f->type->kind != TypeKind::set) e->kind = ExprKind::constant, e->value = f->value;
          return e;
        }
        case TreeConstant::Kind::symbol:
          if (const Expr* e = enum_constant(rule.sema, f->symbol, range, wanted, false, found); found) return e;
          error(rule.sema, "wrong_type"_code, range, fmt::format("the option `{}` is not a bool or a number", name),
                fmt::format("compare it with a value: `{} == {}`", name, f->symbol));
          return poison(rule.sema, range);
      }
    }
    return computed_const(rule.sema, node);
  }
  return nullptr;
}

// Resolves a value without parameters.
static const Expr* value_by_name(RuleContext& rule, const Node* node, const Type*) {
  const std::string_view name = node->text;
  if (auto v = rule.sema.names.values.find(name);
      v != rule.sema.names.values.end() && rule.sema.rules.values[v->second].names.empty())
    return call_named(rule, node, name, false);
  if (auto r = rule.sema.records.given.find(name); r != rule.sema.records.given.end())
    if (auto v = rule.sema.names.values.find(leaves_of(rule.sema, r->second, r->first)[0].name);
        v != rule.sema.names.values.end() && rule.sema.rules.values[v->second].names.empty())
      return call_named(rule, node, name, false);
  return nullptr;
}

// Resolves a deck, enum, card type or area to the set of its elements. Otherwise, resolves a constant of any enum, or a
// card kind.
static const Expr* all_or_one_declared(RuleContext& rule, const Node* node, const Type* wanted) {
  const std::string_view name = node->text;
  const Range range = node->range;
  bool found = false;
  if (auto d = rule.sema.cards.decks.find(name); d != rule.sema.cards.decks.end()) {
    rule.sema.used.insert(std::string(name));
    if (d->second.pool) {
      Expr* e = make(rule.sema, ExprKind::pool_values,
                     set_type(enum_type(rule.model.pools[d->second.pool->index].element.index)), range);
      e->ref = d->second.pool->index;
      return e;
    }
    if (!rule.sema.names.enums.contains(name) && !rule.sema.names.card_types.contains(name))
      return universe(rule.sema, card_type(), range);
  }
  if (auto e = rule.sema.names.enums.find(name); e != rule.sema.names.enums.end())
    return universe(rule.sema, enum_type(e->second), range);
  if (const Expr* e = enum_constant(rule.sema, name, range, wanted, true, found); found) return e;
  if (auto t = rule.sema.names.card_types.find(name); t != rule.sema.names.card_types.end())
    return universe(rule.sema, card_type(t->second), range);
  if (auto k = rule.sema.names.kinds.find(name); k != rule.sema.names.kinds.end()) {
    if (k->second == ~0u) return poison(rule.sema, range);
    return constant(rule.sema, kind_type(), k->second, range);
  }
  if (auto a = area_named(rule.sema, name)) {
    // A single die is a value, not a set.
    if (rule.sema.areas.all[*a].single && rule.sema.areas.all[*a].each == 0 && rule.sema.areas.all[*a].name == name)
      return constant(rule.sema, area_type(rule.sema, *a), 1, range);
    Expr* e = make(rule.sema, ExprKind::set_constant, set_type(area_type(rule.sema, *a)), range);
    for (Int i = 1; i <= rule.sema.areas.all[*a].count; ++i) e->values.push_back(i);
    return e;
  }
  return nullptr;
}

// Resolves the directions of a board. The board itself is not a value.
static const Expr* of_board(RuleContext& rule, const Node* node, const Type*) {
  const std::string_view name = node->text;
  const Range range = node->range;
  if (const model::Board* board = board_with_dirs(rule.sema, name))
    return universe(rule.sema, enum_type(board->dirs.index), range);
  if (board_named(rule.sema, node)) {
    error(rule.sema, "wrong_type"_code, range, fmt::format("`{}` is a board, not a value", name),
          fmt::format("use `{}.cells` for its cells, or `{}[0, 0]` for one of them", name, name));
    return poison(rule.sema, range);
  }
  return nullptr;
}

static const Expr* of_time(RuleContext& rule, const Node* node, const Type*) {
  const std::string_view name = node->text;
  const Range range = node->range;
  if (name == "clock" && rule.scenario) return make(rule.sema, ExprKind::race_clock, duration_type(), range);
  if (name == "turn_number") return make(rule.sema, ExprKind::turn_number, integer_type(0, 0x7fffffff), range);
  if (name == "round_number" || name == "round")
    return make(rule.sema, ExprKind::round_number, integer_type(0, 0x7fffffff), range);
  return nullptr;
}

static const Expr* name_ref(RuleContext& rule, const Node* node, const Type* expected) {
  const Type* wanted = expected && expected->kind == TypeKind::set && expected->elem ? expected->elem.get() : expected;
  using Meaning = const Expr* (*)(RuleContext&, const Node*, const Type*);
  static constexpr Meaning kInOrder[] = {bound_name,      word_of_rules, bare_attribute,      wanted_constant, of_table,
                                         const_or_option, value_by_name, all_or_one_declared, of_board,        of_time};
  for (const Meaning meaning : kInOrder)
    if (const Expr* e = meaning(rule, node, wanted)) return e;
  return unknown_name(rule, node, wanted);
}

static const Expr* number(SemaContext& sema, const Node* node) {
  if (node->text == "ms" || node->text == "s" || node->text == "min") {
    const auto us = microseconds(sema, node);
    return us ? constant(sema, duration_type(*us, *us), *us, node->range) : poison(sema, node->range);
  }
  if (node->text.empty() && !view::number(node).scale()) return integer_constant(sema, node->number, node->range);
  const auto n = in_units(sema, node);
  return n ? integer_constant(sema, *n, node->range) : poison(sema, node->range);
}

// ---------------------------------------------------------------- all kinds

const Expr* build_expression(RuleContext& rule, const Node* node, const Type* expected) {
  switch (node->kind) {
    case NodeKind::number: return number(rule.sema, node);
    case NodeKind::truth: return boolean_constant(rule.sema, node->number != 0, node->range);
    case NodeKind::none_lit: return constant(rule.sema, with_none(plain_type(TypeKind::nothing)), kNone, node->range);
    case NodeKind::unlimited_lit: return integer_constant(rule.sema, kUnlimited, node->range);
    case NodeKind::string: return filled_text(rule, node);
    case NodeKind::name_ref: return name_ref(rule, node, expected);
    case NodeKind::member: return member(rule, node, expected);
    case NodeKind::index: return index(rule, node);
    case NodeKind::call: return call_or_card(rule, node);
    case NodeKind::arg: return expr(rule, view::arg(node).value(), expected);
    case NodeKind::list_lit: return list_literal(rule, node, expected);
    case NodeKind::table_lit:
      error(rule.sema, "wrong_type"_code, node->range, "a table literal is allowed only as the value of an attribute",
            "assign the entries of a variable one by one: `m[red] = 1`");
      return poison(rule.sema, node->range);
    case NodeKind::range_lit:
      if (expected && is_duration(*expected)) return draw(rule, node);
      return number_range(rule, node);
    case NodeKind::unary: return unary(rule, node);
    case NodeKind::binary: return binary(rule, node, expected);
    case NodeKind::is_expr: return is_expr(rule, node);
    case NodeKind::if_expr: return if_expr(rule, node, expected);
    case NodeKind::where_expr: return where_expr(rule, node, expected);
    case NodeKind::best_expr: return best_expr(rule, node);
    case NodeKind::clockwise_expr: return clockwise_expr(rule, node, expected);
    case NodeKind::quantifier: return quantifier(rule, node);
    case NodeKind::quantifier_is: return quantifier_is(rule, node);
    case NodeKind::aggregate: return aggregate(rule, node);
    case NodeKind::pick: return pick(rule, node);
    case NodeKind::top_expr: return top_expr(rule, node);
    case NodeKind::random_cards: return random_cards(rule, node);
    case NodeKind::all_but: return all_but(rule, node);
    case NodeKind::size_of: return size_of_expr(rule, node);
    case NodeKind::roll_expr: return roll_expr(rule, node);
    case NodeKind::open_expr: return open_window(rule, node, false);
    case NodeKind::proceed_stmt: return proceed(rule, node, false);
    case NodeKind::may_expr: return may_expr(rule, node);
    case NodeKind::knows_expr: return knows_expr(rule, node);
    case NodeKind::during_expr: return during_expr(rule, node);
    case NodeKind::scenario_card: return scenario_card(rule, node);
    case NodeKind::supposing: return supposing(rule, node);
    case NodeKind::subsets: return subsets(rule, node);
    case NodeKind::claim: return claim_as_condition(rule, node);
    default:
      error(rule.sema, "wrong_type"_code, node->range, "expected a value");
      return poison(rule.sema, node->range);
  }
}

}   // namespace cardwright::sema
