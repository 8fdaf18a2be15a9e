// Converts an expression to the type that its context expects. If that is impossible, reports an error and returns
// poison.
#include "compiler/sema/operations/convert.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/sema/operations/board_types.h"
#include "compiler/sema/operations/locals.h"
#include "compiler/sema/operations/sequences.h"
#include "compiler/sema/operations/type_relations.h"
#include "compiler/model/visit.h"
#include "compiler/sema/operations/bounds.h"
#include "compiler/sema/operations/records.h"
#include "compiler/sema/symbols/card_types.h"
#include "compiler/sema/symbols/components.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"
#include "compiler/sema/symbols/types.h"

namespace cardwright::sema {

static std::string wrong_type_help(const SemaContext& sema, const Expr* e, const Type& to) {
  if (is_duration(to) && e->type.kind == TypeKind::integer) return "add a unit: `300 ms`, `2 s`, `1 min`";
  if (record_in(sema, to)) return fmt::format("write `{}`", as_written(sema, to));
  if (to.kind == TypeKind::integer && to.ref < sema.areas.all.size() && e->type.kind == TypeKind::integer)
    return fmt::format("use the number as an index: `{}[n]`", sema.areas.all[to.ref].name);
  if (to.kind == TypeKind::integer && e->type.kind == TypeKind::integer && e->type.ref < sema.areas.all.size())
    return "use `index of x` for its number";
  const Type& element = e->type.kind == TypeKind::set && e->type.elem ? *e->type.elem : e->type;
  if (to.kind == TypeKind::card && e->type.kind == TypeKind::set && element.kind == TypeKind::card)
    return "select one card: `first of S`, `only of S`, or let a player choose";
  return element.kind == TypeKind::card ? narrowing_help(sema, e, to) : "";
}

static const Expr* wrong_type(SemaContext& sema, const Expr* e, const Type& to, std::string_view for_what) {
  error(sema, "wrong_type"_code, e->range,
        fmt::format("expected `{}`{}, found `{}`", show(sema, to), for_what, show(sema, e->type)),
        wrong_type_help(sema, e, to));
  return poison(sema, e->range);
}

// Returns help text for an attribute that is none because some cards lack it. Returns an empty string if the value may
// be none for another reason.
static std::string lacking_help(const SemaContext& sema, const Expr* e) {
  if (e->kind == ExprKind::or_else) return lacking_help(sema, model::view::or_else(e).otherwise());
  if (e->kind != ExprKind::attribute) return {};
  const Expr* of = model::view::attribute(e).of();
  if (of->type.kind != TypeKind::card) return {};
  const auto without = kind_without(sema, of->type, {{e->ref}});
  if (!without) return {};
  std::string owner;
  for (std::size_t t = 0; t < sema.types.cards.size(); ++t) {
    const auto& own = sema.types.cards[t].own;
    if (std::find(own.begin(), own.end(), model::AttributeId{e->ref}) != own.end())
      owner = sema.model.card_types[t].name;
  }
  return fmt::format(
      "`{}` has no `{}`: narrow the card first (`if c is {} then …` or `… where it is {}`) or add a fallback (`or else "
      "…`)",
      sema.model.kinds[*without].name, sema.model.attributes[e->ref].name, owner, owner);
}

static const Expr* as_table(SemaContext& sema, const Expr* e, const Type& to, std::string_view for_what) {
  const auto is_key = [](const Type& a, const Type& b) {
    return a.kind != TypeKind::integer || (a.lo == b.lo && a.hi == b.hi);
  };
  const Type &entry = *e->type.elem, &wanted = *to.elem;
  const bool may_be_none = entry.optional && !wanted.optional;
  if (is_key(*e->type.key, *to.key) && !may_be_none) return e;
  error(sema, may_be_none ? "may_be_none"_code : "wrong_type"_code, e->range,
        fmt::format("expected `{}`{}, found `{}`", show(sema, to), for_what, show(sema, e->type)));
  return poison(sema, e->range);
}

// Like convert(), but for a value that is only compared. Accepts a card of a more general type, because it may still be
// one of the expected cards.
const Expr* to_compare(RuleContext& rule, const Expr* e, const Type& with, std::string_view what) {
  const bool alike = !is_poison(e) && same_type(rule.sema, e->type, with);
  const auto wide = alike ? common(rule.sema, e->type, with) : std::nullopt;
  return convert(rule, e, wide ? *wide : with, what);
}

const Expr* convert(RuleContext& rule, const Expr* e, const Type& to, std::string_view what) {
  if (is_poison(e) || to.kind == TypeKind::poison) return e ? e : poison(rule.sema, {});
  const std::string for_what = what.empty() ? "" : fmt::format(" for `{}`", what);
  if (is_none_literal(e)) {
    if (to.optional) return constant(rule.sema, to, kNone, e->range);
    if (to.kind == TypeKind::set) {
      Expr* empty = make(rule.sema, ExprKind::set_constant, to, e->range);
      return empty;
    }
    error(rule.sema, "may_be_none"_code, e->range,
          fmt::format("expected `{}`{}, found `none`", show(rule.sema, to), for_what), "declare it optional with `?`");
    return poison(rule.sema, e->range);
  }
  if (is_offset(rule.sema, to) && is_direction(rule.sema, e->type))
    if (const Expr* offset = as_offset(rule, e)) return offset;
  if (to.kind == TypeKind::integer && e->type.kind == TypeKind::enumeration && rule.model.enums[e->type.ref].numbered)
    e = make(rule.sema, ExprKind::number_of, e->type.optional ? with_none(integer_type()) : integer_type(), e->range,
             {e});
  if (to.kind == TypeKind::set && to.elem && e->type.kind == to.elem->kind && e->type.kind != TypeKind::set &&
      may_flow(rule.sema, e->type, *to.elem))
    return as_set(rule.sema, e);
  if (to.kind == TypeKind::list && to.elem && to.elem->kind == TypeKind::set && e->type.kind == TypeKind::list)
    e = as_plain_list(rule, e);
  if (is_poison(e)) return e;
  if (!may_flow(rule.sema, e->type, to)) return wrong_type(rule.sema, e, to, for_what);
  if (to.kind == TypeKind::list) return as_list(rule, e, to);
  if (to.kind == TypeKind::map) return as_table(rule.sema, e, to, for_what);
  if (e->type.optional && !to.optional && to.kind != TypeKind::set && !is_soft(rule, e)) {
    const std::string lacking = lacking_help(rule.sema, e);
    error(rule.sema, "may_be_none"_code, e->range,
          fmt::format("expected `{}`{}, but this may be none", show(rule.sema, to), for_what),
          to.kind == TypeKind::player ? "check first that it `is in`"
          : !lacking.empty()          ? lacking
                                      : "check first that it `is not none`, or add a fallback: `or else …`");
    return poison(rule.sema, e->range);
  }
  if (to.kind == TypeKind::integer && !(e->type.hi >= to.lo && e->type.lo <= to.hi) && e->type.lo <= e->type.hi) {
    error(rule.sema, "out_of_range"_code, e->range,
          e->type.lo == e->type.hi
              ? fmt::format("{} is out of range {}..{}", e->type.lo, to.lo, to.hi)
              : fmt::format("a number in {}..{} is always out of range {}..{}", e->type.lo, e->type.hi, to.lo, to.hi));
    return poison(rule.sema, e->range);
  }
  if (e->type.kind == TypeKind::set && (!e->type.elem || e->type.elem->kind == TypeKind::nothing)) {
    Expr* typed = make(rule.sema, e->kind, to, e->range, e->args);
    typed->values = e->values;
    return typed;
  }
  return e;
}

// Converts a list of records to a list type with another capacity.
static const Expr* as_record_list(RuleContext& rule, const Expr* e, const Type& to) {
  std::vector<const Expr*> lists;
  const std::vector<Part> wanted = leaves_of(rule.sema, to, "");
  for (const Expr* list : fields_of(e)) {
    lists.push_back(as_list(rule, list, wanted[lists.size()].type));
    if (is_poison(lists.back())) return lists.back();
  }
  std::size_t at = 0;
  return spread(rule.sema, "", to, e->range, [&](const std::string&, const Type&) { return lists[at++]; });
}

// Converts a list to the capacity of the expected type.
const Expr* as_list(RuleContext& rule, const Expr* e, const Type& to) {
  if (e->kind == ExprKind::record) return as_record_list(rule, e, to);
  if (is_sequence(rule, e)) return not_a_value(rule.sema, e);
  if (!to.elem || (e->type.elem->optional && !to.elem->optional)) {
    error(rule.sema, "may_be_none"_code, e->range,
          fmt::format("expected `{}`, but the elements may be none", show(rule.sema, to)));
    return poison(rule.sema, e->range);
  }
  if (to.elem->kind == TypeKind::list && e->type.elem->most != to.elem->most) {   // converts each inner list
    const LocalId x = add_local(rule, "it", element_type(e->type), e->range);
    Expr* all = make(rule.sema, ExprKind::list_of, list_type(*to.elem, e->type.most), e->range,
                     {e, nullptr, convert(rule, local(rule, x, e->range), *to.elem)});
    all->local = x;
    e = all;
  }
  if (e->type.most == to.most) return e;
  Type room = to;   // preserves the range of the list's own numbers, which in_bounds() checks
  if (to.elem->kind == TypeKind::integer && e->type.elem->kind == TypeKind::integer) room.elem = e->type.elem;
  if (e->kind != ExprKind::list_literal) return make(rule.sema, ExprKind::list_as, room, e->range, {e});
  if (static_cast<Int>(e->args.size()) > to.most) {
    error(rule.sema, "out_of_range"_code, e->range,
          fmt::format("too many elements: found {}, but the list can have at most {}", e->args.size(), to.most));
    return poison(rule.sema, e->range);
  }
  return make(rule.sema, ExprKind::list_literal, room, e->range, e->args);
}

const Expr* to_int(RuleContext& rule, const Expr* e) {
  if (!is_poison(e) && is_duration(e->type)) {
    error(rule.sema, "wrong_type"_code, e->range, "expected a number, found `duration`");
    return poison(rule.sema, e->range);
  }
  return to_amount(rule, e);
}

const Expr* to_amount(RuleContext& rule, const Expr* e) {
  if (is_poison(e)) return e;
  if (e->type.kind == TypeKind::enumeration && rule.model.enums[e->type.ref].numbered)
    e = make(rule.sema, ExprKind::number_of, e->type.optional ? with_none(integer_type()) : integer_type(), e->range,
             {e});
  if (e->type.kind != TypeKind::integer) {
    error(rule.sema, "wrong_type"_code, e->range,
          fmt::format("expected a number, found `{}`", show(rule.sema, e->type)),
          e->type.kind == TypeKind::set  ? "use `size(…)`"
          : board_of(rule.sema, e->type) ? "use `c.x` or `c.y`"
          : e->type.kind == TypeKind::text
              ? "rules can't compute with strings; insert values into a message: `log \"{a}{b}\"`"
          : e->kind == ExprKind::less || e->kind == ExprKind::less_equal
              ? "comparisons can't be chained; use `n in 1..3`, or `1 <= n and n <= 3`"
          : e->type.kind == TypeKind::enumeration ? "use `index of …`"
                                                  : "");
    return poison(rule.sema, e->range);
  }
  if (e->type.optional && !is_soft(rule, e)) {
    const std::string lacking = lacking_help(rule.sema, e);
    error(rule.sema, "may_be_none"_code, e->range, "this number may be none",
          lacking.empty() ? "check first that it `is not none`, or add a fallback: `or else 0`" : lacking);
    return poison(rule.sema, e->range);
  }
  return e;
}

const Expr* as_set(SemaContext& sema, const Expr* e) {
  if (is_poison(e) || e->type.kind == TypeKind::set) return e;
  switch (e->type.kind) {
    case TypeKind::player:
    case TypeKind::card:
    case TypeKind::enumeration:
    case TypeKind::kind: return make(sema, ExprKind::set_of_one, set_type(without_none(e->type)), e->range, {e});
    case TypeKind::integer: {   // a number, or a part of an area, such as a piece
      const bool part = e->type.ref < sema.model.areas.size();
      if (is_poison(e = part ? e : in_bounds_of_sets(sema, e))) return e;
      return make(sema, ExprKind::set_of_one, set_type(without_none(e->type)), e->range, {e});
    }
    case TypeKind::boolean:
#include "compiler/model/cases_of_non_scalars.def"
      break;
  }
  error(sema, "wrong_type"_code, e->range, fmt::format("expected a set, found `{}`", show(sema, e->type)),
        e->kind == ExprKind::in_set ? "`in` binds more tightly; add parentheses: `x in (S with most …)`" : "");
  return poison(sema, e->range);
}

// Converts an offset or a direction to an offset. Returns null for other types.
const Expr* as_offset(RuleContext& rule, const Expr* e) {
  if (is_offset(rule.sema, e->type)) return e;
  if (!is_direction(rule.sema, e->type)) return nullptr;
  e = convert(rule, e, enum_type(e->type.ref));
  if (is_poison(e) || !has_no_effects(rule.sema, e)) return poison(rule.sema, e->range);
  const auto component = [&](std::string_view name) {
    const model::AttributeId attribute = *attribute_of_enum(rule.sema, {e->type.ref}, name);
    Expr* one = make(rule.sema, ExprKind::attribute, rule.model.attributes[attribute.index].type, e->range, {e});
    one->ref = attribute.index;
    refine(rule, one);
    return one;
  };
  return offset(rule.sema, component("dx"), component("dy"), e->range);
}

const Expr* convert_in_bounds(RuleContext& rule, const Expr* e, const Type& to, std::string_view name,
                              std::string_view what) {
  return in_bounds(rule.sema, convert(rule, e, to, name), to, what.empty() ? fmt::format("`{}`", name) : what);
}

}   // namespace cardwright::sema
