// Builds the operators `and`, `or`, `+` and so on, `if … then … else`, and list literals.
#include "compiler/sema/expressions/operators.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/sema/operations/board_types.h"
#include "compiler/sema/operations/sequences.h"
#include "compiler/sema/operations/type_relations.h"
#include "compiler/sema/expressions/comparisons.h"
#include "compiler/sema/expressions/decided.h"
#include "compiler/sema/expressions/dice.h"
#include "compiler/sema/expressions/durations.h"
#include "compiler/sema/expressions/expressions.h"
#include "compiler/sema/expressions/pieces.h"
#include "compiler/sema/operations/boards.h"
#include "compiler/sema/operations/bounds.h"
#include "compiler/sema/operations/convert.h"
#include "compiler/sema/operations/lists.h"
#include "compiler/sema/operations/narrowing.h"
#include "compiler/sema/operations/record_lists.h"
#include "compiler/sema/operations/records.h"
#include "compiler/sema/options/tree_constants.h"
#include "compiler/sema/symbols/card_types.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"
#include "compiler/sema/symbols/types.h"

namespace cardwright::sema {

static const Expr* arithmetic(RuleContext& rule, const Node* node, const Type* expected);

static const Expr* logic(RuleContext& rule, const Node* node) {
  const view::binary its(node);
  const bool conjunction = node->text == "and";
  if (auto f = decided(rule.sema, &rule, its.left()); f && f->kind == TreeConstant::Kind::boolean) {
    if ((f->value != 0) != conjunction) return boolean_constant(rule.sema, f->value != 0, node->range);
    return condition(rule, its.right());
  }
  const Expr* a = condition(rule, its.left());
  Scoped scope(rule);
  narrow(rule, a, conjunction);
  const Expr* b = condition(rule, its.right());
  if (is_poison(a)) return a;
  if (is_poison(b)) return b;
  return make(rule.sema, conjunction ? ExprKind::logical_and : ExprKind::logical_or, boolean_type(), node->range,
              {a, b});
}

const Expr* if_expr(RuleContext& rule, const Node* node, const Type* expected) {
  if (auto f = decided(rule.sema, &rule, view::if_expr(node).condition()); f && f->kind == TreeConstant::Kind::boolean)
    return expr(rule, f->value ? view::if_expr(node).then() : view::if_expr(node).otherwise(), expected);
  const Expr* c = condition(rule, view::if_expr(node).condition());
  const Expr *a, *b;
  {
    Scoped scope(rule);
    narrow(rule, c, true);
    a = expr(rule, view::if_expr(node).then(), expected);
  }
  {
    Scoped scope(rule);
    narrow(rule, c, false);
    const Type first = a->type;
    const bool useful = !is_poison(a) && first.kind != TypeKind::nothing;
    b = expr(rule, view::if_expr(node).otherwise(), expected ? expected : useful ? &first : nullptr);
  }
  if (is_poison(c) || is_poison(a) || is_poison(b)) return poison(rule.sema, node->range);
  if (a->type.kind == TypeKind::integer && b->type.kind == TypeKind::enumeration) b = to_int(rule, b);
  if (b->type.kind == TypeKind::integer && a->type.kind == TypeKind::enumeration) a = to_int(rule, a);
  if (a->type.kind == TypeKind::set && b->type.kind != TypeKind::set) b = as_set(rule.sema, b);
  if (b->type.kind == TypeKind::set && a->type.kind != TypeKind::set) a = as_set(rule.sema, a);
  auto t = common(rule.sema, a->type, b->type);
  if (!t) {
    error(rule.sema, "wrong_type"_code, view::if_expr(node).otherwise()->range,
          fmt::format("the branches have different types: `{}` after `else`, `{}` after `then`",
                      show(rule.sema, b->type), show(rule.sema, a->type)));
    return poison(rule.sema, node->range);
  }
  if (t->kind == TypeKind::nothing) return a;
  if (record_in(rule.sema, *t) && !has_no_effects(rule.sema, c)) return poison(rule.sema, node->range);
  return fieldwise(rule.sema, {convert(rule, a, *t), convert(rule, b, *t)}, [&](const auto& x) {
    return make(rule.sema, ExprKind::conditional,
                record_in(rule.sema, *t) ? *common(rule.sema, x[0]->type, x[1]->type) : *t, node->range,
                {c, x[0], x[1]});
  });
}

const Expr* binary(RuleContext& rule, const Node* node, const Type* expected) {
  const std::string_view op = node->text;
  if (op == "and" || op == "or") return logic(rule, node);
  if (op == "==" || op == "!=") return equality(rule, node);
  if (op == "<" || op == "<=" || op == ">" || op == ">=") return comparison(rule, node);
  if (op == "in" || op == "not in") return membership(rule, node);
  if (op == "shows") return shows_claim(rule, node);
  if (op == "at" || op == "on")
    return pieces_where(rule, view::binary(node).left(), view::binary(node).right(), op == "at", node->range);
  if (op == "within" || op == "disjoint from") {
    const Expr* a = expr(rule, view::binary(node).left());
    if (is_poison(a)) return a;
    if (a->type.kind != TypeKind::set) {
      error(rule.sema, "wrong_type"_code, view::binary(node).left()->range,
            fmt::format("expected a set before `{}`, found `{}`", op, show(rule.sema, a->type)),
            op == "within" ? "for a single element, write `x in S`" : "for a single element, write `x not in S`");
      return poison(rule.sema, node->range);
    }
    const Type t = a->type;
    const Expr* b = as_set(rule.sema, expr(rule, view::binary(node).right(), &t));
    if (is_poison(b)) return b;
    if (!same_type(rule.sema, a->type, b->type)) {
      error(rule.sema, "wrong_type"_code, node->range,
            fmt::format("can't compare `{}` with `{}`", show(rule.sema, a->type), show(rule.sema, b->type)));
      return poison(rule.sema, node->range);
    }
    return make(rule.sema, op == "within" ? ExprKind::within : ExprKind::disjoint, boolean_type(), node->range,
                {a, to_compare(rule, b, a->type)});
  }
  if (op == "or else") {
    const Expr* a = expr(rule, view::binary(node).left(), expected);
    if (is_poison(a)) return a;
    if (is_none_literal(a)) {
      error(rule.sema, "wrong_type"_code, node->range, "`none or else x` is always `x`",
            "remove `none or else`, or replace `none` with an expression that may be none");
      return poison(rule.sema, node->range);
    }
    const Type t = a->type;
    const Expr* b = expr(rule, view::binary(node).right(), expected ? expected : &t);
    if (is_poison(b)) return b;
    if (a->type.kind == TypeKind::set) b = as_set(rule.sema, b);
    if (a->type.kind == TypeKind::list || a->type.kind == TypeKind::record) {
      error(rule.sema, "wrong_type"_code, node->range,
            fmt::format("a value of type `{}` is never none", show(rule.sema, a->type)),
            a->type.kind == TypeKind::list ? "write `if l is empty then … else l`" : "");
      return poison(rule.sema, node->range);
    }
    if (a->type.kind == TypeKind::integer && b->type.kind == TypeKind::enumeration) b = to_int(rule, b);
    auto u = common(rule.sema, without_none(a->type), b->type);
    if (!u) {
      error(
          rule.sema, "wrong_type"_code, view::binary(node).right()->range,
          fmt::format("expected `{1}`, found `{0}`", show(rule.sema, b->type), show(rule.sema, without_none(a->type))));
      return poison(rule.sema, node->range);
    }
    if (a->type.kind != TypeKind::set) u->optional = b->type.optional;
    return make(rule.sema, ExprKind::or_else, *u, node->range, {a, convert(rule, b, *u)});
  }
  return arithmetic(rule, node, expected);
}

// Builds `list + x`, `list - x` and `list + list`.
static const Expr* list_arithmetic(RuleContext& rule, const Node* node, const Expr* a, const Expr* b) {
  const std::string_view op = node->text;
  if (is_poison(a = as_plain_list(rule, a))) return a;
  const bool lists = b->type.kind == TypeKind::list && !same_type(rule.sema, b->type, element_type(a->type));
  if (op == "+") return lists ? joined(rule, a, b, node->range) : list_with(rule, a, b, node->range);
  if (is_record_list(rule.sema, a->type)) {
    b = to_compare(rule, b, element_type(a->type), "an element");
    return is_poison(b) ? b : without_record(rule, a, b, node->range, nullptr);
  }
  b = to_compare(rule, b, element_type(a->type), "an element");
  return is_poison(b) ? b : make(rule.sema, ExprKind::list_drop, a->type, node->range, {a, b});
}

static const Expr* set_arithmetic(RuleContext& rule, const Node* node, const Expr* a, const Expr* b) {
  const std::string_view op = node->text;
  a = as_set(rule.sema, a);
  b = as_set(rule.sema, b);
  if (is_poison(a) || is_poison(b)) return poison(rule.sema, node->range);
  auto t = common(rule.sema, a->type, b->type);
  if (!t) {
    error(rule.sema, "wrong_type"_code, node->range,
          fmt::format("can't combine `{}` with `{}`", show(rule.sema, a->type), show(rule.sema, b->type)));
    return poison(rule.sema, node->range);
  }
  // A difference has the type of the first set. An intersection has the narrower of the two types.
  const bool cards = t->elem && t->elem->kind == TypeKind::card;
  const bool second =
      op == "&" && cards && a->type.elem && b->type.elem && !admits(rule.sema, *b->type.elem, *a->type.elem);
  const Type type = op == "+" || !cards ? *t : second ? b->type : a->type;
  return make(rule.sema,
              op == "+"   ? ExprKind::set_union
              : op == "-" ? ExprKind::set_minus
                          : ExprKind::set_and,
              type, node->range, {convert(rule, a, *t), convert(rule, b, *t)});
}

static const Expr* product(RuleContext& rule, const Node* node, const Expr* a, const Expr* b, bool times) {
  const Type x = a->type, y = b->type;
  Type t = integer_type();
  const auto small = [](Int v) { return v > -1'000'000 && v < 1'000'000; };
  if (small(x.lo) && small(x.hi) && small(y.lo) && small(y.hi)) {
    const Int p[] = {x.lo * y.lo, x.lo * y.hi, x.hi * y.lo, x.hi * y.hi};
    t = integer_type(*std::min_element(p, p + 4), *std::max_element(p, p + 4));
  }
  if (times) t.ref = model::kDurationRef;
  return make(rule.sema, ExprKind::multiply, t, node->range, {a, b});
}

static const Expr* number_arithmetic(RuleContext& rule, const Node* node, const Expr* a, const Expr* b) {
  const std::string_view op = node->text;
  a = to_amount(rule, a);
  b = to_amount(rule, b);
  if (is_poison(a) || is_poison(b)) return poison(rule.sema, node->range);
  const Type x = a->type, y = b->type;
  const bool times = is_duration(x) || is_duration(y), both = is_duration(x) && is_duration(y);
  if (times && !(op == "*" ? !both : op == "+" || op == "-" ? both : op == "/" && is_duration(x))) {
    error(rule.sema, "wrong_type"_code, node->range,
          fmt::format("can't combine `{}` with `{}` here", show(rule.sema, x), show(rule.sema, y)),
          both ? "" : "add a unit to the other operand: `300 ms`, `2 s`");
    return poison(rule.sema, node->range);
  }
  const auto typed = [&](Type t) {
    if (times && !(both && op == "/")) t.ref = model::kDurationRef;
    return t;
  };
  const bool wide = x.hi >= kUnlimited || y.hi >= kUnlimited || x.lo <= -kUnlimited || y.lo <= -kUnlimited;
  if (a->kind == ExprKind::constant && b->kind == ExprKind::constant) {
    if (auto f = tree_constant(rule.sema, node, false); f && f->kind == TreeConstant::Kind::integer)
      return integer_constant(rule.sema, f->value, node->range);
  }
  const auto bound = [](ExprKind kind, Int v, Int w) { return analysis::known(kind, v, w).value_or(0); };
  if (op == "+")
    return make(rule.sema, ExprKind::add,
                typed(integer_type(bound(ExprKind::add, x.lo, y.lo), bound(ExprKind::add, x.hi, y.hi))), node->range,
                {a, b});
  if (op == "-")
    return make(
        rule.sema, ExprKind::subtract,
        typed(wide ? integer_type()
                   : integer_type(bound(ExprKind::subtract, x.lo, y.hi), bound(ExprKind::subtract, x.hi, y.lo))),
        node->range, {a, b});
  if (op == "*") return product(rule, node, a, b, times);
  if (op == "**") {
    if (b->kind == ExprKind::constant && b->value < 0) {
      error(rule.sema, "out_of_range"_code, view::binary(node).right()->range, "negative exponent");
      return poison(rule.sema, node->range);
    }
    return make(rule.sema, ExprKind::power, integer_type(), node->range, {a, b});
  }
  if (op == "/" || op == "div" || op == "mod") {
    if (b->kind == ExprKind::constant && b->value == 0) {
      error(rule.sema, "out_of_range"_code, view::binary(node).right()->range, "division by zero");
      return poison(rule.sema, node->range);
    }
    if (op == "mod")
      return make(rule.sema, ExprKind::modulo,
                  y.lo > 0 ? integer_type(0, y.hi < kUnlimited ? y.hi - 1 : kUnlimited) : integer_type(), node->range,
                  {a, b});
    const bool simple = !wide && y.lo > 0;
    return make(rule.sema, ExprKind::divide,
                typed(simple ? integer_type(std::min<Int>(x.lo, x.lo / y.lo), std::max<Int>(x.hi / y.lo, x.hi / y.hi))
                             : integer_type()),
                node->range, {a, b});
  }
  error(rule.sema, "wrong_type"_code, node->range, fmt::format("`{}` is not an operator for integers", op),
        op == "&" ? "`&` is the intersection of two sets; use `and` for conditions" : "");
  return poison(rule.sema, node->range);
}

static const Expr* arithmetic(RuleContext& rule, const Node* node, const Type* expected) {
  const std::string_view op = node->text;
  if (op == "±" || op == "spread") return draw(rule, node);
  const Expr* a = expr(rule, view::binary(node).left(), op == "+" || op == "-" || op == "&" ? expected : nullptr);
  if (is_poison(a)) {
    expr(rule, view::binary(node).right());
    return a;
  }
  const Type left = a->type;
  const bool sets = op == "+" || op == "-" || op == "&";
  const auto way = direction_on(rule, left, view::binary(node).right());
  const Type one = way ? *way : left.kind == TypeKind::list ? added_to(left, view::binary(node).right()) : left;
  const Expr* b = expr(rule, view::binary(node).right(),
                       way || left.kind == TypeKind::set || left.kind == TypeKind::list ? &one : nullptr);
  if (is_poison(b)) return b;
  if ((op == "+" || op == "-") && is_direction(rule.sema, b->type) &&
      board_of(rule.sema, a->type.kind == TypeKind::set ? element_type(a->type) : a->type))
    return moved(rule, a, b, op == "-", node->range);
  if (const Expr* offset = offset_arithmetic(rule, op, a, b, node->range)) return offset;
  if (a->type.kind == TypeKind::list && (op == "+" || op == "-")) return list_arithmetic(rule, node, a, b);
  if (sets && (a->type.kind == TypeKind::set || b->type.kind == TypeKind::set)) return set_arithmetic(rule, node, a, b);
  return number_arithmetic(rule, node, a, b);
}

// Builds an element of a list literal. If the element's name does not exist with the chosen options, returns null and
// sets `left_out`, so that only this element is dropped.
static const Expr* listed(RuleContext& rule, const Node* item, const Type* type, bool& left_out) {
  const bool dropped = rule.dropped;
  const Expr* x = expr(rule, item, type);
  if (!is_poison(x) || dropped || !rule.dropped || item->kind != NodeKind::name_ref) return x;
  rule.dropped = false;
  left_out = true;
  return nullptr;
}

// Returns `expected` with its range extended to include all items.
static Type numbers_of(const Type& expected, const std::vector<const Expr*>& items) {
  Type all = expected;
  for (const Expr* item : items)
    if (item->type.kind == TypeKind::integer && item->type.lo <= item->type.hi)
      all.lo = std::min(all.lo, item->type.lo), all.hi = std::max(all.hi, item->type.hi);
  return all;
}

const Expr* list_literal(RuleContext& rule, const Node* node, const Type* expected) {
  bool left_out = false;
  const auto all_are_absent = [&](const std::vector<const Expr*>& items) {
    return left_out && items.empty() && (rule.dropped = true);
  };
  if (expected && expected->kind == TypeKind::list) {
    const Type elem = *expected->elem;
    std::vector<const Expr*> items;
    for (const Node* n : node->children) {
      const Expr* x = listed(rule, n, &elem, left_out);
      if (!x) continue;
      items.push_back(convert(rule, x, elem));
      if (is_poison(items.back())) return items.back();
    }
    if (all_are_absent(items)) return poison(rule.sema, node->range);
    Type own = *expected;
    own.most = static_cast<Int>(items.size());
    if (elem.kind == TypeKind::integer) own.elem = std::make_shared<const Type>(numbers_of(elem, items));
    if (elem.kind == TypeKind::record) return as_list(rule, records_literal(rule, items, own, node->range), *expected);
    return as_list(rule, make(rule.sema, ExprKind::list_literal, std::move(own), node->range, items), *expected);
  }
  Type elem =
      expected && expected->kind == TypeKind::set && expected->elem ? *expected->elem : plain_type(TypeKind::nothing);
  bool known = elem.kind != TypeKind::nothing;
  std::vector<const Expr*> items;
  bool constants = true;
  for (const Node* n : node->children) {
    const Expr* x = listed(rule, n, known ? &elem : nullptr, left_out);
    if (!x) continue;
    if (is_poison(x)) return x;
    const Type of = without_none(x->type);
    if (known && of.kind == TypeKind::set && elem.kind != TypeKind::set) {
      error(rule.sema, "wrong_type"_code, n->range,
            fmt::format("expected a single element of type `{}`, found a set", show(rule.sema, elem)),
            "join sets with `+`: `[x] + s`");
      return poison(rule.sema, node->range);
    }
    if (known && !(of.kind == TypeKind::card && elem.kind == TypeKind::card) && !same_type(rule.sema, of, elem)) {
      error(rule.sema, "wrong_type"_code, n->range,
            fmt::format("expected an element of type `{1}`, found `{0}`", show(rule.sema, of), show(rule.sema, elem)));
      return poison(rule.sema, node->range);
    }
    if (!known) elem = of, known = true;
    if (elem.kind == TypeKind::card) elem = items.empty() ? of : joined_cards(rule.sema, elem, of);
    constants = constants && x->kind == ExprKind::constant && x->value != kNone;
    items.push_back(x);
  }
  if (all_are_absent(items)) return poison(rule.sema, node->range);
  if (elem.kind == TypeKind::integer) {
    for (const Expr* x : items)
      if (x->kind == ExprKind::constant && !fits_in_set(rule.sema, x->type)) {
        error(rule.sema, "out_of_range"_code, x->range,
              fmt::format("a set can only contain integers from 0 to {}", kMostInSet));
        return poison(rule.sema, node->range);
      }
    // True if all elements are parts of one area, such as pieces.
    const bool parts = elem.ref < rule.sema.model.areas.size() &&
                       std::all_of(items.begin(), items.end(), [&](const Expr* x) { return x->type.ref == elem.ref; });
    if (!parts) elem = items.empty() ? integer_type(0, kMostInSet) : numbers_of(Type(items[0]->type), items);
    if (!parts) elem = integer_type(std::max<Int>(0, elem.lo), std::min(kMostInSet, elem.hi));
  }
  if (elem.kind == TypeKind::record)
    return records_literal(rule, items, list_type(elem, static_cast<Int>(items.size())), node->range);
  if (elem.kind == TypeKind::set)
    return make(rule.sema, ExprKind::list_literal, list_type(elem, static_cast<Int>(items.size())), node->range, items);
  if (elem.kind == TypeKind::boolean || elem.kind == TypeKind::text || elem.kind == TypeKind::map ||
      elem.kind == TypeKind::list) {
    error(rule.sema, "wrong_type"_code, node->range, fmt::format("a set can't contain `{}`", show(rule.sema, elem)));
    return poison(rule.sema, node->range);
  }
  if (constants) {
    Expr* e = make(rule.sema, ExprKind::set_constant, set_type(elem), node->range);
    for (const Expr* x : items) e->values.push_back(x->value);
    return e;
  }
  const Expr* all = nullptr;
  for (const Expr* x : items) {
    if (elem.ref >= rule.sema.model.areas.size() && is_poison(x = in_bounds_of_sets(rule.sema, x))) return x;
    const Expr* one = make(rule.sema, ExprKind::set_of_one, set_type(elem), x->range, {x});
    all = all ? make(rule.sema, ExprKind::set_union, set_type(elem), node->range, {all, one}) : one;
  }
  return all;
}

}   // namespace cardwright::sema
