// What fits where: types held against each other, and values made into what is wanted.
#include "compiler/sema/convert.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/sema/boards.h"
#include "compiler/sema/components.h"
#include "compiler/sema/names.h"
#include "compiler/sema/narrowing.h"
#include "compiler/sema/record_lists.h"
#include "compiler/sema/records.h"
#include "compiler/sema/sets.h"
#include "compiler/sema/state.h"
#include "compiler/sema/tables.h"

namespace cardwright::sema {

bool is_none_literal(const Expr* e) {
  return e->kind == ExprKind::constant && e->value == kNone && e->type.kind == TypeKind::nothing;
}

bool same_type(const SemaContext& sema, const Type& a, const Type& b) {
  if (a.kind != b.kind) return false;
  switch (a.kind) {
    case TypeKind::enumeration: return a.ref == b.ref;
    case TypeKind::card:
      return a.ref >= sema.types.cards.size() || b.ref >= sema.types.cards.size() || is_a(sema, a.ref, b.ref) ||
             is_a(sema, b.ref, a.ref);
    case TypeKind::set:
    case TypeKind::list:
      return !a.elem || !b.elem || a.elem->kind == TypeKind::nothing || b.elem->kind == TypeKind::nothing ||
             same_type(sema, *a.elem, *b.elem);
    case TypeKind::map: return same_type(sema, *a.elem, *b.elem) && same_type(sema, *a.key, *b.key);
    case TypeKind::integer: return is_duration(a) == is_duration(b);
    case TypeKind::listed:
    case TypeKind::record: return a.ref == b.ref;
    case TypeKind::poison:
    case TypeKind::nothing:
    case TypeKind::boolean:
    case TypeKind::player:
    case TypeKind::kind:
    case TypeKind::text: break;
  }
  return true;
}

bool fits(const SemaContext& sema, const Type& from, const Type& to) {
  return same_type(sema, from, to) && (!from.optional || to.optional);
}

std::optional<Type> common(const SemaContext& sema, const Type& a, const Type& b) {
  if (a.kind == TypeKind::poison) return b;
  if (b.kind == TypeKind::poison) return a;
  if (a.kind == TypeKind::nothing && a.optional) return b.kind == TypeKind::set ? b : with_none(b);
  if (b.kind == TypeKind::nothing && b.optional) return a.kind == TypeKind::set ? a : with_none(a);
  if (!same_type(sema, a, b)) return std::nullopt;
  Type t = a;
  t.optional = a.optional || b.optional;
  if (t.kind == TypeKind::integer)
    t.lo = std::min(a.lo, b.lo), t.hi = std::max(a.hi, b.hi), t.ref = a.ref == b.ref ? a.ref : ~0u;
  if (t.kind == TypeKind::card && a.ref != b.ref) {
    if (a.ref < sema.types.cards.size() && b.ref < sema.types.cards.size())
      t.ref = is_a(sema, a.ref, b.ref) ? b.ref : a.ref;
    else
      t.ref = ~0u;
  }
  if (t.kind == TypeKind::list) {
    t.most = std::max(a.most, b.most);
    if (a.elem && b.elem && a.elem->kind == TypeKind::list)
      if (const auto inner = common(sema, *a.elem, *b.elem)) t.elem = std::make_shared<const Type>(*inner);
  }
  if ((t.kind == TypeKind::set || t.kind == TypeKind::list) && (!a.elem || a.elem->kind == TypeKind::nothing))
    t.elem = b.elem;
  return t;
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
    error(rule.sema, Code::may_be_none, e->range,
          fmt::format("none can't stand{}: a `{}` is needed", what.empty() ? " here" : for_what, show(rule.sema, to)),
          "declare it optional with `?`");
    return poison(rule.sema, e->range);
  }
  if (is_offset(rule.sema, to) && is_direction(rule.sema, e->type))
    if (const Expr* offset = as_offset(rule, e)) return offset;
  if (to.kind == TypeKind::integer && e->type.kind == TypeKind::enumeration && rule.model.enums[e->type.ref].numbered)
    e = make(rule.sema, ExprKind::number_of, e->type.optional ? with_none(integer_type()) : integer_type(), e->range,
             {e});
  if (to.kind == TypeKind::set && to.elem && e->type.kind == to.elem->kind && e->type.kind != TypeKind::set &&
      same_type(rule.sema, e->type, *to.elem))
    return make(rule.sema, ExprKind::set_of_one, to, e->range, {e});
  if (to.kind == TypeKind::list && to.elem && to.elem->kind == TypeKind::set && e->type.kind == TypeKind::list)
    e = as_plain_list(rule, e);
  if (is_poison(e)) return e;
  if (!same_type(rule.sema, e->type, to)) {
    error(
        rule.sema, Code::wrong_type, e->range,
        fmt::format("a `{}` is needed{}, and this is a `{}`", show(rule.sema, to), for_what, show(rule.sema, e->type)),
        is_duration(to) && e->type.kind == TypeKind::integer ? "say the unit: `300 ms`, `2 s`, `1 min`"
        : record_in(rule.sema, to)                           ? fmt::format("say it so: `{}`", as_written(rule.sema, to))
                                                             : "");
    return poison(rule.sema, e->range);
  }
  if (to.kind == TypeKind::list) return as_list(rule, e, to);
  if (to.kind == TypeKind::map) return as_table(rule.sema, e, to, for_what);
  if (e->type.optional && !to.optional && to.kind != TypeKind::set && !is_soft(rule, e)) {
    error(rule.sema, Code::may_be_none, e->range,
          fmt::format("this may be none, and a `{}` is needed{}", show(rule.sema, to), for_what),
          to.kind == TypeKind::player ? "ask first whether it `is in`"
                                      : "ask first whether it `is not none`, or say what else: `or else …`");
    return poison(rule.sema, e->range);
  }
  if (to.kind == TypeKind::integer && !(e->type.hi >= to.lo && e->type.lo <= to.hi) && e->type.lo <= e->type.hi) {
    error(rule.sema, Code::out_of_range, e->range,
          e->type.lo == e->type.hi
              ? fmt::format("{} is never in {}..{}", e->type.lo, to.lo, to.hi)
              : fmt::format("a number in {}..{} is never in {}..{}", e->type.lo, e->type.hi, to.lo, to.hi));
    return poison(rule.sema, e->range);
  }
  if (e->type.kind == TypeKind::set && (!e->type.elem || e->type.elem->kind == TypeKind::nothing)) {
    Expr* typed = make(rule.sema, e->kind, to, e->range, e->args);
    typed->values = e->values;
    return typed;
  }
  return e;
}

// A list with room for as many as are wanted.
const Expr* as_list(RuleContext& rule, const Expr* e, const Type& to) {
  if (e->kind == ExprKind::record) return as_record_list(rule, e, to);
  if (is_sequence(rule, e)) return not_a_value(rule.sema, e);
  if (!to.elem || (e->type.elem->optional && !to.elem->optional)) {
    error(rule.sema, Code::may_be_none, e->range,
          fmt::format("elements may be none, and a `{}` is needed", show(rule.sema, to)));
    return poison(rule.sema, e->range);
  }
  if (to.elem->kind == TypeKind::list && e->type.elem->most != to.elem->most) {   // each of its lists
    const LocalId x = add_local(rule, "it", element_type(e->type), e->range);
    Expr* all = make(rule.sema, ExprKind::list_of, list_type(*to.elem, e->type.most), e->range,
                     {e, nullptr, convert(rule, local(rule, x, e->range), *to.elem)});
    all->local = x;
    e = all;
  }
  if (e->type.most == to.most) return e;
  if (e->kind != ExprKind::list_literal) return make(rule.sema, ExprKind::list_as, to, e->range, {e});
  if (static_cast<Int>(e->args.size()) > to.most) {
    error(rule.sema, Code::out_of_range, e->range,
          fmt::format("{} elements, and the list holds up to {}", e->args.size(), to.most));
    return poison(rule.sema, e->range);
  }
  return make(rule.sema, ExprKind::list_literal, to, e->range, e->args);
}

const Expr* to_int(RuleContext& rule, const Expr* e) {
  if (!is_poison(e) && is_duration(e->type)) {
    error(rule.sema, Code::wrong_type, e->range, "a number is needed here, and this is a `duration`");
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
    error(rule.sema, Code::wrong_type, e->range,
          fmt::format("a number is needed here, and this is a `{}`", show(rule.sema, e->type)),
          e->type.kind == TypeKind::set    ? "say `size(…)`"
          : board_of(rule.sema, e->type)   ? "`c.x` and `c.y` are numbers"
          : e->type.kind == TypeKind::text ? "texts are only for people: `log \"{a}{b}\"`"
          : e->kind == ExprKind::less || e->kind == ExprKind::less_equal
              ? "comparing can't be chained: `n in 1..3`, or `1 <= n and n <= 3`"
          : e->type.kind == TypeKind::enumeration ? "say `index of …`"
                                                  : "");
    return poison(rule.sema, e->range);
  }
  if (e->type.optional && !is_soft(rule, e)) {
    error(rule.sema, Code::may_be_none, e->range, "this number may be none",
          "ask first whether it `is not none`, or say what else: `or else 0`");
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
    case TypeKind::integer: {   // a number, or a part of an area: a piece, say
      return make(sema, ExprKind::set_of_one, set_type(element_of_set(sema, e->type)), e->range, {e});
    }
    case TypeKind::poison:
    case TypeKind::nothing:
    case TypeKind::boolean:
    case TypeKind::set:
    case TypeKind::list:
    case TypeKind::listed:
    case TypeKind::map:
    case TypeKind::record:
    case TypeKind::text: break;
  }
  error(sema, Code::wrong_type, e->range, fmt::format("a set is needed here, and this is a `{}`", show(sema, e->type)),
        e->kind == ExprKind::in_set ? "`in` comes first: write `x in (S with most …)`, with brackets" : "");
  return poison(sema, e->range);
}

}  // namespace cardwright::sema
