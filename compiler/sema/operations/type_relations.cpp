// Decides whether two types are the same, whether a value of one type is allowed where another type is declared, and
// which type can represent the values of both.
#include "compiler/sema/operations/type_relations.h"

#include <algorithm>

#include "compiler/model/visit.h"
#include "compiler/sema/symbols/card_types.h"
#include "compiler/sema/symbols/components.h"
#include "compiler/sema/symbols/types.h"

namespace cardwright::sema {

bool is_none_literal(const Expr* e) {
  return e->kind == ExprKind::constant && e->value == kNone && e->type.kind == TypeKind::nothing;
}

bool same_type(const SemaContext& sema, const Type& a, const Type& b) {
  if (a.kind != b.kind) return false;
  switch (a.kind) {
    case TypeKind::enumeration: return a.ref == b.ref;
    case TypeKind::card:
      return is_found(a) || is_found(b) || a.ref >= sema.types.cards.size() || b.ref >= sema.types.cards.size() ||
             is_a(sema, a.ref, b.ref) || is_a(sema, b.ref, a.ref);
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

// Returns whether a value of type `from` is allowed where type `to` is declared. Ignores none and the bounds of
// numbers.
static bool flows(const SemaContext& sema, const Type& from, const Type& to) {
  if (from.kind != to.kind) return false;
  const auto part_of_area = [&](const Type& t) { return t.ref < sema.areas.all.size(); };
  switch (to.kind) {
    case TypeKind::card: return admits(sema, to, from);
    case TypeKind::set:
    case TypeKind::list:
      return !from.elem || !to.elem || from.elem->kind == TypeKind::nothing || to.elem->kind == TypeKind::nothing ||
             flows(sema, *from.elem, *to.elem);
    case TypeKind::map: return same_type(sema, *from.key, *to.key) && flows(sema, *from.elem, *to.elem);
    case TypeKind::integer:
      return same_type(sema, from, to) && (from.ref == to.ref || (!part_of_area(from) && !part_of_area(to)));
    case TypeKind::poison:
    case TypeKind::nothing:
    case TypeKind::boolean:
    case TypeKind::player:
    case TypeKind::enumeration:
    case TypeKind::kind:
    case TypeKind::listed:
    case TypeKind::record:
    case TypeKind::text: return same_type(sema, from, to);
  }
  return false;
}

bool may_flow(SemaContext& sema, const Type& from, const Type& to) {
  if (flows(sema, from, to)) return true;
  if (sema.zone_cards || !model::holds_cards(to) || !same_type(sema, from, to)) return false;
  return sema.wants_zone_cards = true;
}

bool fits(SemaContext& sema, const Type& from, const Type& to) {
  return may_flow(sema, from, to) && (!from.optional || to.optional);
}

std::optional<Type> common(const SemaContext& sema, const Type& a, const Type& b) {
  if (a.kind == TypeKind::poison) return b;
  if (b.kind == TypeKind::poison) return a;
  if (a.kind == TypeKind::nothing && a.optional) return b.kind == TypeKind::set ? b : with_none(b);
  if (b.kind == TypeKind::nothing && b.optional) return a.kind == TypeKind::set ? a : with_none(a);
  if (a.kind == TypeKind::card && b.kind == TypeKind::card) return joined_cards(sema, a, b);
  Type t = a;
  t.optional = a.optional || b.optional;
  if (a.kind == TypeKind::set && b.kind == TypeKind::set && a.elem && b.elem && a.elem->kind != TypeKind::nothing &&
      b.elem->kind != TypeKind::nothing) {
    const auto elem = common(sema, *a.elem, *b.elem);
    if (!elem) return std::nullopt;
    t.elem = std::make_shared<const Type>(*elem);
    return t;
  }
  if (!same_type(sema, a, b)) return std::nullopt;
  if (t.kind == TypeKind::integer)
    t.lo = std::min(a.lo, b.lo), t.hi = std::max(a.hi, b.hi), t.ref = a.ref == b.ref ? a.ref : ~0u;
  if (t.kind == TypeKind::list) {
    t.most = std::max(a.most, b.most);
    if (a.elem && b.elem && a.elem->kind != TypeKind::nothing && b.elem->kind != TypeKind::nothing)
      if (const auto inner = common(sema, *a.elem, *b.elem)) t.elem = std::make_shared<const Type>(*inner);
  }
  if ((t.kind == TypeKind::set || t.kind == TypeKind::list) && (!a.elem || a.elem->kind == TypeKind::nothing))
    t.elem = b.elem;
  return t;
}

}   // namespace cardwright::sema
