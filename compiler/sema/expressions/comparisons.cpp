// Checks comparisons: `==`, `<`, `in` and `is`.
// Input:  nodes.
// Output: Model expressions of type bool.
#include "compiler/sema/expressions/comparisons.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/sema/operations/locals.h"
#include "compiler/sema/operations/records.h"
#include "compiler/sema/operations/sequences.h"
#include "compiler/sema/operations/type_relations.h"
#include "compiler/parse/keyword_hints.h"
#include "compiler/sema/expressions/card_attributes.h"
#include "compiler/sema/expressions/decided.h"
#include "compiler/sema/expressions/descriptions.h"
#include "compiler/sema/expressions/durations.h"
#include "compiler/sema/expressions/expressions.h"
#include "compiler/sema/expressions/pieces.h"
#include "compiler/sema/operations/comparisons.h"
#include "compiler/sema/operations/convert.h"
#include "compiler/sema/operations/lists.h"
#include "compiler/sema/operations/logic.h"
#include "compiler/sema/operations/names.h"
#include "compiler/sema/operations/record_lists.h"
#include "compiler/sema/symbols/areas.h"
#include "compiler/sema/symbols/components.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"
#include "compiler/sema/symbols/types.h"

namespace cardwright::sema {

const Expr* comparison(RuleContext& rule, const Node* node) {
  const view::binary its(node);
  if (auto f = decided(rule.sema, &rule, node); f) return boolean_constant(rule.sema, f->value != 0, node->range);
  const Expr* a = expr(rule, its.left());
  const Type left = a->type;
  const Expr* b = expr(rule, its.right(), is_poison(a) ? nullptr : &left);
  if (is_poison(a) || is_poison(b)) return poison(rule.sema, node->range);
  if (a->type.kind == TypeKind::enumeration && b->type.kind == TypeKind::enumeration && a->type.ref == b->type.ref &&
      !a->type.optional && !b->type.optional) {
    a = make(rule.sema, ExprKind::number_of, integer_type(), a->range, {a});
    b = make(rule.sema, ExprKind::number_of, integer_type(), b->range, {b});
  }
  a = to_amount(rule, a);
  b = to_amount(rule, b);
  if (is_poison(a) || is_poison(b)) return poison(rule.sema, node->range);
  if (is_duration(a->type) != is_duration(b->type)) {
    error(rule.sema, "wrong_type"_code, node->range,
          fmt::format("can't compare `{}` with `{}`", show(rule.sema, a->type), show(rule.sema, b->type)),
          "add a unit: `300 ms`, `2 s`");
    return poison(rule.sema, node->range);
  }
  if (const std::string key = key_of(a);
      a->kind != ExprKind::constant && !key.empty() && key == key_of(b) && !in_library(rule.sema, node->range))
    warn_if(rule.sema, "constant_condition"_code, node->range, true, "both sides of the comparison are the same");
  const std::string_view op = node->text;
  if (op == ">" || op == ">=") std::swap(a, b);
  return make(rule.sema, op == "<" || op == ">" ? ExprKind::less : ExprKind::less_equal, boolean_type(), node->range,
              {a, b});
}

const Expr* equality(RuleContext& rule, const Node* node) {
  if (auto f = decided(rule.sema, &rule, node); f) return boolean_constant(rule.sema, f->value != 0, node->range);
  const Node *l = view::binary(node).left(), *r = view::binary(node).right();
  if (!l || !r) return poison(rule.sema, node->range);
  const bool equal = node->text == "==";
  if (const Expr* such = rule.scenario ? is_as_described(rule, l, r) : nullptr)
    return equal || is_poison(such) ? such : negated(rule.sema, such);
  // An unqualified constant has the type of the other operand.
  const auto bare = [&](const Node* n) {
    return (n->kind == NodeKind::name_ref && rule.sema.names.constants.contains(n->text) &&
            !find_binding(rule, n->text)) ||
           n->kind == NodeKind::list_lit || n->kind == NodeKind::none_lit;
  };
  const bool right_first = bare(l) && !bare(r);
  const Expr* first = expr(rule, right_first ? r : l);
  const Type t = first->type;
  const Expr* second = expr(rule, right_first ? l : r, is_poison(first) || t.kind == TypeKind::nothing ? nullptr : &t);
  if (is_poison(first) || is_poison(second)) return poison(rule.sema, node->range);
  const Expr* a = right_first ? second : first;
  const Expr* b = right_first ? first : second;
  if (is_none_literal(a) || is_none_literal(b)) {
    const Expr* of = is_none_literal(a) ? b : a;
    if (of->type.kind == TypeKind::set) {
      error(rule.sema, "wrong_type"_code, node->range, "a set can't be none", "use `is empty`");
      return poison(rule.sema, node->range);
    }
    const Expr* none = make(rule.sema, ExprKind::is_none, boolean_type(), node->range, {of});
    return equal ? none : negated(rule.sema, none);
  }
  const Expr* e = equals(rule, a, b, node->range);
  if (equal || is_poison(e)) return e;
  if (e->kind != ExprKind::equal) return negated(rule.sema, e);
  return make(rule.sema, ExprKind::not_equal, boolean_type(), node->range, e->args);
}

// Handles a card kind `in` a zone. The result is true if the zone contains a card of that kind. Returns null for other
// operands.
static const Expr* kind_in_zone(RuleContext& rule, const Node* node) {
  const Node *l = view::binary(node).left(), *r = view::binary(node).right();
  if (l->kind == NodeKind::name_ref && !find_binding(rule, l->text)) {
    auto k = rule.sema.names.kinds.find(l->text);
    auto t = rule.sema.names.card_types.find(l->text);
    const bool kind = k != rule.sema.names.kinds.end() && k->second != ~0u;
    if ((kind || t != rule.sema.names.card_types.end()) && r->kind != NodeKind::list_lit) {
      const Expr* s = set(rule, r);
      if (is_poison(s)) return s;
      if (element_type(s->type).kind == TypeKind::card) {
        Expr* of = make(rule.sema, ExprKind::exists, boolean_type(), node->range);
        of->local = add_local(rule, "card", element_type(s->type), l->range);
        Expr* is = make(rule.sema, ExprKind::counts_as, boolean_type(), node->range,
                        {local(rule, of->local, l->range), nullptr});
        is->values = kind ? std::vector<Int>{k->second} : kinds_of_type(rule.sema, t->second);
        of->args = {s, is};
        return of;
      }
      if (kind && element_type(s->type).kind == TypeKind::kind)
        return make(rule.sema, ExprKind::in_set, boolean_type(), node->range,
                    {constant(rule.sema, kind_type(), k->second, l->range), s});
    }
  }
  return nullptr;
}

// Handles `Chip(worth: 3) in a.hand`. The result is true if the set contains a matching card.
static const Expr* matching_card_in(RuleContext& rule, const Node* node, const Expr* such) {
  const Node *l = view::binary(node).left(), *r = view::binary(node).right();
  const Expr* s = collection(rule, r);
  if (is_poison(such) || is_poison(s)) return poison(rule.sema, node->range);
  if (element_type(s->type).kind != TypeKind::card) {
    error(
        rule.sema, "wrong_type"_code, r->range,
        fmt::format("expected a set of cards after `in`, found a set of `{}`", show(rule.sema, element_type(s->type))));
    return poison(rule.sema, node->range);
  }
  Expr* some = make(rule.sema, ExprKind::exists, boolean_type(), node->range);
  some->local = add_local(rule, "card", element_type(s->type), l->range);
  some->args = {
      s, make(rule.sema, ExprKind::in_set, boolean_type(), node->range, {local(rule, some->local, l->range), such})};
  return some;
}

// Handles `[a, b] in rows`, whose right operand is a list of lists. Returns null for other operands.
static const Expr* list_in_list(RuleContext& rule, const Node* node) {
  const Node *l = view::binary(node).left(), *r = view::binary(node).right();
  if (l->kind == NodeKind::list_lit && r->kind != NodeKind::list_lit && r->kind != NodeKind::range_lit) {
    const Expr* s = expr(rule, r);
    if (is_poison(s)) return s;
    if (const Type row = element_type(s->type); s->type.kind == TypeKind::list && row.kind == TypeKind::list) {
      const Expr* list = convert(rule, expr(rule, l, &row), row);
      if (is_poison(list)) return list;
      return is_sequence(rule, s) ? not_a_value(rule.sema, s)
                                  : make(rule.sema, ExprKind::in_list, boolean_type(), node->range, {list, s});
    }
  }
  return nullptr;
}

static const Expr* in_range(RuleContext& rule, const Node* node, const Expr* a) {
  const Node *l = view::binary(node).left(), *r = view::binary(node).right();
  a = to_int(rule, a);
  const Expr *lo = integer(rule, view::range_lit(r).lo()), *hi = integer(rule, view::range_lit(r).hi());
  if (is_poison(a) || is_poison(lo) || is_poison(hi)) return poison(rule.sema, node->range);
  if (!pure_expr(*a)) {
    error(rule.sema, "wrong_type"_code, l->range,
          "store an expression with an effect with `let` before you compare it with a range");
    return poison(rule.sema, node->range);
  }
  return make(rule.sema, ExprKind::logical_and, boolean_type(), node->range,
              {make(rule.sema, ExprKind::less_equal, boolean_type(), node->range, {lo, a}),
               make(rule.sema, ExprKind::less_equal, boolean_type(), node->range, {a, hi})});
}

static const Expr* record_among(RuleContext& rule, const Node* node, const Expr* a) {
  const Node* r = view::binary(node).right();
  const Type elem = without_none(a->type);
  const Type rows = list_type(elem, std::max<Int>(1, static_cast<Int>(r->children.size())));
  const Expr* s = expr(rule, r, r->kind == NodeKind::list_lit ? &rows : nullptr);
  if (is_poison(s)) return s;
  if (is_record_list(rule.sema, s->type) && same_type(rule.sema, element_type(s->type), elem))
    return record_in_list(rule, a, s, node->range);
  error(rule.sema, "wrong_type"_code, node->range,
        is_sequence(rule, s)
            ? "a sequence can be used only in a loop"
            : fmt::format("`{}` can't be an element of `{}`", show(rule.sema, elem), show(rule.sema, s->type)),
        is_sequence(rule, s) ? "`any x in … has x == …`" : "");
  return poison(rule.sema, node->range);
}

// Checks the items of a list literal after `in`. Returns nullopt if an item has an error.
static std::optional<std::vector<const Expr*>> items_of(RuleContext& rule, const Node* node, const Type& elem) {
  std::vector<const Expr*> items;
  for (const Node* n : view::binary(node).right()->children) {
    const Expr* x = expr(rule, n, &elem);
    if (is_poison(x)) return std::nullopt;
    if (x->type.kind == TypeKind::kind && elem.kind == TypeKind::card) {
      error(rule.sema, "wrong_type"_code, n->range, "a card can't be an element of a list of kinds",
            "use `is Miss or Chips`");
      return std::nullopt;
    }
    if (!same_type(rule.sema, x->type, elem) && x->type.kind != TypeKind::set) x = convert(rule, x, elem);
    if (is_poison(x)) return std::nullopt;
    items.push_back(x);
  }
  return items;
}

static bool fits_in_set(const SemaContext& sema, const Expr& x, const Type& elem) {
  if (x.kind != ExprKind::constant) return false;
  return elem.kind != TypeKind::integer || is_part(sema, elem) || (x.value >= 0 && x.value <= kMostInSet);
}

static const Expr* in_written_list(RuleContext& rule, const Node* node, const Expr* a) {
  const Node *l = view::binary(node).left(), *r = view::binary(node).right();
  const Type elem = without_none(a->type);
  const auto written = items_of(rule, node, elem);
  if (!written) return poison(rule.sema, node->range);
  const std::vector<const Expr*>& items = *written;
  const bool as_set =
      std::all_of(items.begin(), items.end(), [&](const Expr* x) { return fits_in_set(rule.sema, *x, elem); });
  if (as_set && !items.empty() && elem.kind != TypeKind::boolean && elem.kind != TypeKind::kind) {
    Expr* s = make(rule.sema, ExprKind::set_constant, set_type(element_of_set(rule.sema, elem)), r->range);
    for (const Expr* x : items) s->values.push_back(x->value);
    if (fits_in_set(rule.sema, a->type)) return make(rule.sema, ExprKind::in_set, boolean_type(), node->range, {a, s});
  }
  if (!pure_expr(*a) && items.size() > 1) {
    error(rule.sema, "wrong_type"_code, l->range,
          "store an expression with an effect with `let` before you search for it in a list");
    return poison(rule.sema, node->range);
  }
  const Expr* any = nullptr;
  for (const Expr* x : items) {
    const Expr* one = x->type.kind == TypeKind::set
                          ? make(rule.sema, ExprKind::in_set, boolean_type(), node->range, {a, x})
                          : make(rule.sema, ExprKind::equal, boolean_type(), node->range, {a, x});
    any = any ? either(rule.sema, any, one, node->range) : one;
  }
  return any ? any : boolean_constant(rule.sema, false, node->range);
}

static const Expr* in_collection(RuleContext& rule, const Node* node, const Expr* a) {
  const Node* r = view::binary(node).right();
  const Type elem = without_none(a->type);
  const Type wanted = set_type(elem);
  const Expr* s = expr(rule, r, &wanted);
  if (is_poison(s)) return s;
  // The right operand is a list of sets.
  if (s->type.kind == TypeKind::list && element_type(s->type).kind == TypeKind::listed &&
      a->type.kind == TypeKind::set) {
    Expr* same = make(rule.sema, ExprKind::exists, boolean_type(), node->range);
    same->local = add_local(rule, "set", element_type(s->type), r->range);
    const Expr* one = local(rule, same->local, r->range);
    if (!same_type(rule.sema, one->type, a->type)) {
      error(rule.sema, "wrong_type"_code, node->range,
            fmt::format("`{}` can't be an element of a set of `{}`", show(rule.sema, a->type),
                        show(rule.sema, one->type)));
      return poison(rule.sema, node->range);
    }
    same->args = {s, make(rule.sema, ExprKind::set_equal, boolean_type(), node->range, {a, one})};
    return same;
  }
  if (s->type.kind == TypeKind::list && element_type(s->type).kind != TypeKind::listed &&
      same_type(rule.sema, element_type(s->type), elem))
    return is_sequence(rule, s) ? not_a_value(rule.sema, s)
                                : make(rule.sema, ExprKind::in_list, boolean_type(), node->range,
                                       {elem.kind == TypeKind::list ? convert(rule, a, element_type(s->type)) : a, s});
  if (s->type.kind != TypeKind::set) {
    error(rule.sema, "wrong_type"_code, r->range,
          fmt::format("expected a set after `{}`, found `{}`", node->text, show(rule.sema, s->type)));
    return poison(rule.sema, node->range);
  }
  if (!same_type(rule.sema, element_type(s->type), elem)) {
    error(rule.sema, "wrong_type"_code, node->range,
          fmt::format("`{}` can't be an element of a set of `{}`", show(rule.sema, elem),
                      show(rule.sema, element_type(s->type))));
    return poison(rule.sema, node->range);
  }
  return make(rule.sema, ExprKind::in_set, boolean_type(), node->range, {a, s});
}

static const Expr* is_among(RuleContext& rule, const Node* node) {
  const Node *l = view::binary(node).left(), *r = view::binary(node).right();
  if (const Expr* some = kind_in_zone(rule, node)) return some;
  if (const Expr* such = such_cards(rule, l)) return matching_card_in(rule, node, such);
  if (const Expr* list = list_in_list(rule, node)) return list;
  const Expr* a = expr(rule, l);
  if (is_poison(a)) return a;
  if (r->kind == NodeKind::range_lit) return in_range(rule, node, a);
  if (without_none(a->type).kind == TypeKind::record) return record_among(rule, node, a);
  return r->kind == NodeKind::list_lit ? in_written_list(rule, node, a) : in_collection(rule, node, a);
}

const Expr* membership(RuleContext& rule, const Node* node) {
  if (auto f = decided(rule.sema, &rule, node); f) return boolean_constant(rule.sema, f->value != 0, node->range);
  const Node *l = view::binary(node).left(), *r = view::binary(node).right();
  if (!l || !r) return poison(rule.sema, node->range);
  const Expr* among = is_among(rule, node);
  return node->text == "in" ? among : negated(rule.sema, among);
}

static const Expr* card_is_kind(RuleContext& rule, const Expr* of, const std::vector<const Node*>& names, Range range) {
  Expr* e = make(rule.sema, ExprKind::counts_as, boolean_type(), range, {of, nullptr});
  for (const Node* n : names) {
    if (auto k = rule.sema.names.kinds.find(n->text); k != rule.sema.names.kinds.end()) {
      if (k->second == ~0u) return poison(rule.sema, range);
      e->values.push_back(k->second);
    } else if (auto c = rule.sema.names.card_types.find(n->text); c != rule.sema.names.card_types.end()) {
      for (Int kind : kinds_of_type(rule.sema, c->second)) e->values.push_back(kind);
      if (rule.sema.types.cards[c->second].node && kinds_of_type(rule.sema, c->second).empty())
        e->values.push_back(implicit_kind(rule.sema, {c->second}).index);
    } else {
      if (silent_if_absent(rule, n)) return poison(rule.sema, range);
      std::vector<std::string> all;
      for (const auto& [x, id] : rule.sema.names.kinds) all.push_back(x);
      for (const auto& [x, id] : rule.sema.names.card_types) all.push_back(x);
      error(rule.sema, "unknown_name"_code, n->range, fmt::format("unknown card or card type `{}`", n->text),
            did_you_mean(n->text, all));
      return poison(rule.sema, range);
    }
  }
  return e;
}

static const Expr* kind_is_kind(RuleContext& rule, const Expr* of, const std::vector<const Node*>& names, Range range) {
  const Expr* any = nullptr;
  for (const Node* n : names) {
    std::vector<Int> kinds;
    if (auto k = rule.sema.names.kinds.find(n->text); k != rule.sema.names.kinds.end())
      kinds.push_back(k->second);
    else if (auto c = rule.sema.names.card_types.find(n->text); c != rule.sema.names.card_types.end())
      kinds = kinds_of_type(rule.sema, c->second);
    else {
      error(rule.sema, "unknown_name"_code, n->range, fmt::format("unknown card or card type `{}`", n->text));
      return poison(rule.sema, range);
    }
    for (Int k : kinds) {
      const Expr* one =
          make(rule.sema, ExprKind::equal, boolean_type(), range, {of, constant(rule.sema, kind_type(), k, n->range)});
      any = any ? either(rule.sema, any, one, range) : one;
    }
  }
  return any ? any : boolean_constant(rule.sema, false, range);
}

// Maps each enum to those of its constants that an `is` names.
using Constants = std::map<std::uint32_t, std::vector<Int>>;

// Reports why `n` is not a constant for a comparison with a value of type `t`.
static std::nullptr_t no_such_constant(RuleContext& rule, const Type& t, const Node* n, Range range) {
  if (silent_if_absent(rule, n)) return nullptr;
  std::vector<std::string> all;
  for (const auto& [x, where] : rule.sema.names.constants) all.push_back(x);
  if (t.kind != TypeKind::player && t.kind != TypeKind::enumeration)
    error(rule.sema, "wrong_type"_code, range,
          fmt::format("a value of type `{}` can't be `{}`", show(rule.sema, t), n->text));
  else
    error(rule.sema, "unknown_name"_code, n->range, fmt::format("unknown constant `{}`", n->text),
          find_binding(rule, n->text) || rule.sema.names.table_variables.contains(n->text)
              ? fmt::format("`is` names a constant; `==` and `!=` compare with the value of `{}`", n->text)
          : habit(Spot::name, n->text).empty() ? did_you_mean(n->text, all)
                                               : habit(Spot::name, n->text));
  return nullptr;
}

// Returns the constant with this name in the enum `t`. If `t` is a player, exactly one enum with such a constant must
// be the type of a variable of players. Otherwise, reports an error and returns null.
static const Expr* constant_named(RuleContext& rule, const Type& t, const Node* n, Range range) {
  bool found = false;
  const Type* expected = t.kind == TypeKind::enumeration ? &t : nullptr;
  const Expr* c = nullptr;
  if (t.kind == TypeKind::player) {
    auto it = rule.sema.names.constants.find(n->text);
    std::vector<std::pair<std::uint32_t, Int>> fitting;
    if (it != rule.sema.names.constants.end())
      for (const auto& [e, i] : it->second)
        if (variable_with_enum(rule.sema, e, true)) fitting.push_back({e, i});
    if (fitting.size() == 1)
      c = constant(rule.sema, enum_type(fitting[0].first), fitting[0].second, n->range), found = true;
    else if (it != rule.sema.names.constants.end()) {
      error(rule.sema, "ambiguous_name"_code, n->range,
            fmt::format("`{}` can be the value of several variables of a player, or of no variable", n->text),
            "name the variable: `p.role == …`");
      return nullptr;
    }
  } else {
    c = enum_constant(rule.sema, n->text, n->range, expected, true, found);
  }
  return found ? c : no_such_constant(rule, t, n, range);
}

static const Expr* is_one_of(RuleContext& rule, const Expr* of, std::uint32_t e, const std::vector<Int>& values,
                             std::string_view name, Range range) {
  const Type& t = of->type;
  const Expr* value = of;
  if (t.kind == TypeKind::player) {
    const std::uint32_t v = *variable_with_enum(rule.sema, e, true);
    rule.sema.used.insert(rule.model.variables[v].name);
    if (t.optional && !is_soft(rule, of)) {
      error(rule.sema, "may_be_none"_code, of->range, "this player may be none", "check first that it `is in`");
      return poison(rule.sema, range);
    }
    Expr* x = make(rule.sema, ExprKind::variable, rule.model.variables[v].type, range, {of});
    x->ref = v;
    value = x;
  } else if (t.kind != TypeKind::enumeration || t.ref != e) {
    error(rule.sema, "wrong_type"_code, range,
          fmt::format("a value of type `{}` can't be `{}`", show(rule.sema, t), name));
    return poison(rule.sema, range);
  }
  if (values.size() == 1) {
    return make(rule.sema, ExprKind::equal, boolean_type(), range,
                {value, constant(rule.sema, enum_type(e), values[0], range)});
  }
  Expr* s = make(rule.sema, ExprKind::set_constant, set_type(enum_type(e)), range);
  s->values = values;
  return make(rule.sema, ExprKind::in_set, boolean_type(), range, {value, s});
}

const Expr* is_kind(RuleContext& rule, const Expr* of, const std::vector<const Node*>& names, Range range) {
  const Type& t = of->type;
  if (t.kind == TypeKind::card) return card_is_kind(rule, of, names, range);
  if (t.kind == TypeKind::kind) return kind_is_kind(rule, of, names, range);
  Constants wanted;
  for (const Node* n : names) {
    const Expr* c = constant_named(rule, t, n, range);
    if (is_poison(c)) return poison(rule.sema, range);
    wanted[c->type.ref].push_back(c->value);
  }
  const Expr* any = nullptr;
  for (const auto& [e, values] : wanted) {
    const Expr* one = is_one_of(rule, of, e, values, names.front()->text, range);
    if (is_poison(one)) return one;
    any = any ? either(rule.sema, any, one, range) : one;
  }
  return any ? any : poison(rule.sema, range);
}

static const Expr* is_empty(RuleContext& rule, const Node* node, const Expr* of) {
  if (of->type.kind == TypeKind::list) {
    const Expr* size = size_of(rule, of, node->range);
    return is_poison(size) ? size
                           : make(rule.sema, ExprKind::equal, boolean_type(), node->range,
                                  {size, integer_constant(rule.sema, 0, node->range)});
  }
  if (of->type.kind != TypeKind::set) {
    error(rule.sema, "wrong_type"_code, node->range,
          fmt::format("a value of type `{}` can't be empty", show(rule.sema, of->type)),
          of->type.optional ? "use `is none`" : "");
    return poison(rule.sema, node->range);
  }
  return make(rule.sema, ExprKind::is_empty, boolean_type(), node->range, {of});
}

static const Expr* is_facing(RuleContext& rule, const Node* node, const Expr* of) {
  if (of->type.kind != TypeKind::card) {
    error(rule.sema, "wrong_type"_code, node->range,
          fmt::format("expected a card, found `{}`", show(rule.sema, of->type)));
    return poison(rule.sema, node->range);
  }
  Expr* e = make(rule.sema, ExprKind::faces, boolean_type(), node->range, {of});
  e->value = node->text == "faceup";
  return e;
}

static const Expr* is_in_or_out(RuleContext& rule, const Node* node, const Expr* of) {
  const std::string_view what = node->text;
  if (of->type.kind != TypeKind::player) {
    error(rule.sema, "wrong_type"_code, node->range,
          fmt::format("expected a player, found `{}`", show(rule.sema, of->type)));
    return poison(rule.sema, node->range);
  }
  const Expr* in = make(rule.sema, ExprKind::is_in_game, boolean_type(), node->range, {of});
  if (of->type.optional) {
    const Expr* some = negated(rule.sema, make(rule.sema, ExprKind::is_none, boolean_type(), node->range, {of}));
    in = what == "in"
             ? make(rule.sema, ExprKind::logical_and, boolean_type(), node->range, {some, in})
             : make(rule.sema, ExprKind::logical_and, boolean_type(), node->range, {some, negated(rule.sema, in)});
    return in;
  }
  return what == "in" ? in : negated(rule.sema, in);
}

// Handles `top of bag is Chip(worth: 3)`. Allowed only in scenarios.
static const Expr* is_described(RuleContext& rule, const Node* node, const Expr* of, const Node* described) {
  const bool several = view::is_expr(node).what().size() > 1;
  if (!rule.scenario) {
    error(rule.sema, "wrong_type"_code, described->range, "`is` can't test attributes of a card",
          described->kind == NodeKind::call
              ? fmt::format("compare the attribute separately: `c is {0} and c.worth == 3`", described->text)
              : "compare the attribute: `c.suit == spades`");
    return poison(rule.sema, node->range);
  }
  const Expr* such = such_cards(rule, described);
  if (!such || several || of->type.kind != TypeKind::card) {
    error(rule.sema, "bad_scenario"_code, node->range, "expected one card and one description",
          "`top of bag is Chip(worth: 3)`");
    return poison(rule.sema, node->range);
  }
  return is_poison(such) ? such : make(rule.sema, ExprKind::in_set, boolean_type(), node->range, {of, such});
}

const Expr* is_expr(RuleContext& rule, const Node* node) {
  if (auto f = decided(rule.sema, &rule, node); f) return boolean_constant(rule.sema, f->value != 0, node->range);
  const Node* left = view::is_expr(node).subject();
  if (!left) return poison(rule.sema, node->range);
  const bool negative = node->number == 1;
  const auto result = [&](const Expr* e) { return negative ? negated(rule.sema, e) : e; };
  const std::string_view what = node->text;
  if (what == "over") {
    if (left->kind == NodeKind::name_ref && left->text == "play")
      return result(make(rule.sema, ExprKind::play_is_over, boolean_type(), node->range));
    error(rule.sema, "unknown_name"_code, left->range, "only `play` can be over");
    return poison(rule.sema, node->range);
  }
  if (what == "running") return result(timer_running(rule, left, node->range));
  const Expr* of = expr(rule, left);
  if (is_poison(of)) return of;
  if (what == "on" || what == "off") return result(is_on_board(rule, node, of));
  if (what == "empty") return result(is_empty(rule, node, of));
  if (what == "faceup" || what == "facedown") return result(is_facing(rule, node, of));
  if (what == "none" || what == "some") {
    if (of->type.kind == TypeKind::set) {
      error(rule.sema, "wrong_type"_code, node->range, "a set can't be none", "use `is empty`");
      return poison(rule.sema, node->range);
    }
    const Expr* e = make(rule.sema, ExprKind::is_none, boolean_type(), node->range, {of});
    return (what == "some") == negative ? e : negated(rule.sema, e);
  }
  if (what == "in" || what == "out") return result(is_in_or_out(rule, node, of));
  std::vector<const Node*> names;
  for (const Node* n : view::is_expr(node).what())
    if (n) names.push_back(n);
  if (names.empty()) return poison(rule.sema, node->range);
  const auto described = std::find_if(names.begin(), names.end(), [](const Node* n) {
    return n->kind == NodeKind::call || n->kind == NodeKind::scenario_card;
  });
  if (described == names.end()) return result(is_kind(rule, of, names, node->range));
  return result(is_described(rule, node, of, *described));
}

}   // namespace cardwright::sema
