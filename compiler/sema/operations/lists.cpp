// Builds operations on sets and lists, and limits their sizes.
#include "compiler/sema/operations/lists.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/sema/operations/sequences.h"
#include "compiler/sema/operations/type_relations.h"
#include "compiler/sema/operations/convert.h"
#include "compiler/sema/operations/records.h"
#include "compiler/sema/symbols/components.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"
#include "compiler/sema/symbols/types.h"
#include "support/filled.h"

namespace cardwright::sema {

// Returns the set of all values of a type.
const Expr* universe(SemaContext& sema, const Type& element, Range range) {
  Expr* e = make(sema, ExprKind::set_constant, set_type(element), range);
  switch (element.kind) {
    case TypeKind::enumeration:
      for (std::size_t i = 0; i < sema.model.enums[element.ref].constants.size(); ++i)
        e->values.push_back(static_cast<Int>(i));
      return e;
    case TypeKind::boolean: break;
    case TypeKind::player: return make(sema, ExprKind::players_in, set_type(player_type()), range);
    case TypeKind::integer:
      for (Int i = std::max<Int>(0, element.lo); i <= greatest_in_set(sema, element); ++i) e->values.push_back(i);
      return e;
    case TypeKind::card:
      if (sema.cards.building) {
        error(sema, "circular"_code, range, "the set of all cards can't be used while the cards are being created");
        return poison(sema, range);
      }
      sema.builders.cards(sema);
      for (std::size_t c = 0; c < sema.model.cards.size(); ++c)
        if (element.ref >= sema.types.cards.size() ||
            is_a(sema, sema.model.kinds[sema.model.cards[c].kind.index].type.index, element.ref))
          e->values.push_back(static_cast<Int>(c));
      return e;
    case TypeKind::kind:
#include "compiler/model/cases_of_non_scalars.def"
      break;
  }
  error(sema, "wrong_type"_code, range, fmt::format("`{}` has no set of all values", show(sema, element)));
  return poison(sema, range);
}

// Returns the type that the right operand of `list + …` must have: the type of one element or of a list of elements. If
// the elements are sets or lists, `[a, b]` is one element and `[[a], [b]]` is a list of two elements.
Type added_to(const Type& list, const Node* what) {
  if (!what || what->kind != NodeKind::list_lit) return element_type(list);
  const bool of_lists = std::any_of(what->children.begin(), what->children.end(),
                                    [](const Node* n) { return n && n->kind == NodeKind::list_lit; });
  return list.elem && list.elem->elem && !of_lists ? element_type(list) : list;
}

const Expr* joined(RuleContext& rule, const Expr* a, const Expr* b, Range range) {
  a = as_plain_list(rule, a);
  b = as_plain_list(rule, b);
  if (is_poison(a) || is_poison(b)) return poison(rule.sema, range);
  if (a->kind == ExprKind::record && b->kind == ExprKind::record && same_type(rule.sema, a->type, b->type)) {
    if (!has_no_effects(rule.sema, a) || !has_no_effects(rule.sema, b)) return poison(rule.sema, range);
    const Int most = std::min(kMostInList, a->type.most + b->type.most);
    return fieldwise(
        rule.sema, {a, b}, [&](const auto& x) { return joined(rule, x[0], x[1], range); },
        [&](const Type& t) { return list_type(*t.elem, most); });
  }
  if (!same_type(rule.sema, a->type, b->type)) {
    error(rule.sema, "wrong_type"_code, range,
          fmt::format("a list of `{}` can't be combined with a list of `{}`", show(rule.sema, element_type(a->type)),
                      show(rule.sema, element_type(b->type))));
    return poison(rule.sema, range);
  }
  Type both = a->type;
  if (!rule.constant) {
    for (const Expr* list : {a, b})
      if (is_sequence(rule, list)) return not_a_value(rule.sema, list);
    both = *common(rule.sema, a->type, b->type);
    a = convert(rule, a, list_type(element_type(both), a->type.most));
    b = convert(rule, b, list_type(element_type(both), b->type.most));
    both.most = std::min<Int>(most_in(rule.sema, both), a->type.most + b->type.most);
  }
  return make(rule.sema, ExprKind::joined, both, range, {a, b});
}

// Builds a const list of lists. Each inner list has the capacity of the longest one.
static const Expr* const_lists(SemaContext& sema, const Expr* e, const ConstantValue& value) {
  Type inner = element_type(e->type);
  inner.most = 1;
  for (const ConstantValue& row : value.items)
    inner.most = std::max<Int>(inner.most, static_cast<Int>(row.items.size()));
  const Type type = list_type(inner, static_cast<Int>(value.items.size()));
  if (inner.elem->elem || !has_room(sema, type, e->range)) {
    if (inner.elem->elem)
      error(sema, "wrong_type"_code, e->range,
            fmt::format("inner lists can only contain single values, not `{}`", show(sema, *inner.elem)));
    return poison(sema, e->range);
  }
  std::vector<const Expr*> rows;
  for (const ConstantValue& row : value.items) {
    std::vector<const Expr*> items;
    for (const ConstantValue& item : row.items) items.push_back(constant(sema, *inner.elem, item.value, e->range));
    rows.push_back(make(sema, ExprKind::list_literal, inner, e->range, items));
  }
  return make(sema, ExprKind::list_literal, type, e->range, rows);
}

// Builds a const list. Numbers, constants and cards become a literal; sets are stored in the Model.
const Expr* const_list(SemaContext& sema, std::string_view name, const Expr* e, const ConstantValue& value) {
  constexpr std::size_t kMost = 4096;
  const Type element = element_type(e->type);
  if (value.items.empty() || value.items.size() > kMost) {
    error(sema, "limit_exceeded"_code, e->range,
          fmt::format("`{}` has {} elements; it may have 1 to {}", name, value.items.size(), kMost));
    return poison(sema, e->range);
  }
  const Int last = static_cast<Int>(value.items.size()) - 1;
  if (element.kind == TypeKind::set) {
    const auto id = static_cast<std::uint32_t>(sema.model.set_lists.size());
    model::SetList& list = sema.model.set_lists.emplace_back(std::string(name), element);
    for (const ConstantValue& item : value.items) list.sets.push_back(item.values);
    Type listed = with_ref(TypeKind::listed, id, false);
    listed.hi = last;
    Expr* all = make(sema, ExprKind::set_list, list_type(listed, last + 1), e->range);
    all->ref = id;
    return all;
  }
  std::vector<const Expr*> items;
  if (element.kind == TypeKind::list) return const_lists(sema, e, value);
  for (const ConstantValue& item : value.items) items.push_back(constant(sema, element, item.value, e->range));
  return make(sema, ExprKind::list_literal, list_type(element, last + 1), e->range, items);
}

// Returns the maximum size of a set with this element type. In a const or while decks are being built, the cards do not
// exist yet, so the result for cards is the general limit.
static Int most_in_set(RuleContext& rule, const Type& element) {
  constexpr Int kUsual = 500;
  switch (element.kind) {
    case TypeKind::player: return rule.sema.players;
    case TypeKind::enumeration: return static_cast<Int>(rule.model.enums[element.ref].constants.size());
    case TypeKind::card:
      if (rule.constant || rule.sema.cards.building) return kMostCards;
      rule.sema.builders.cards(rule.sema);
      return std::max(kUsual, static_cast<Int>(rule.model.cards.size()));
    case TypeKind::kind: return std::max(kUsual, static_cast<Int>(rule.model.kinds.size()));
    case TypeKind::integer: return std::max(kUsual, greatest_in_set(rule.sema, element));
    case TypeKind::boolean:
#include "compiler/model/cases_of_non_scalars.def"
      break;
  }
  return kUsual;
}

const Expr* size_of(RuleContext& rule, const Expr* of, Range range) {
  if (is_poison(of)) return of;
  if (is_record_list(rule.sema, of->type)) return size_of(rule, fields_of(of)[0], range);
  if (is_sequence(rule, of)) return not_a_value(rule.sema, of);
  if (of->kind == ExprKind::set_list) return integer_constant(rule.sema, of->type.most, range);
  if (of->type.kind == TypeKind::list)
    return make(rule.sema, ExprKind::list_size, integer_type(0, of->type.most), range, {of});
  if (of->type.kind != TypeKind::set) {
    error(rule.sema, "wrong_type"_code, of->range,
          fmt::format("expected a set or list after `size`, found `{}`", show(rule.sema, of->type)));
    return poison(rule.sema, range);
  }
  return make(rule.sema, ExprKind::size, integer_type(0, most_in_set(rule, element_type(of->type))), range, {of});
}

Expr* zone_expr(SemaContext& sema, ExprKind kind, const Where& w, Type type, std::vector<const Expr*> more) {
  std::vector<const Expr*> args{w.place.owner, w.place.copy};
  args.insert(args.end(), more.begin(), more.end());
  Expr* e = make(sema, kind, std::move(type), w.range, std::move(args));
  e->ref = w.place.zone.index;
  return e;
}

const Expr* list_with(RuleContext& rule, const Expr* list, const Expr* element, Range range) {
  if (is_sequence(rule, list)) return not_a_value(rule.sema, list);
  element = convert_in_bounds(rule, element, element_type(list->type), "an element", "an element");
  if (is_poison(element)) return element;
  if (list->kind == ExprKind::record) {
    if (!has_no_effects(rule.sema, list) || !has_no_effects(rule.sema, element)) return poison(rule.sema, range);
    return fieldwise(
        rule.sema, {list, element}, [&](const auto& x) { return list_with(rule, x[0], x[1], range); },
        [](const Type& t) { return list_type(*t.elem, t.most + 1); });
  }
  const Type& of = list->type;
  return make(rule.sema, ExprKind::list_add,
              list_type(element_type(of), of.elem->elem ? std::min(of.most + 1, most_in(rule.sema, of)) : of.most + 1),
              range, {list, element});
}

}   // namespace cardwright::sema
