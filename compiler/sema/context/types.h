// Declares short names for use in all of sema/, and functions that create types of the Model.
#pragma once

#include <memory>
#include <utility>

#include "compiler/ast/views.h"
#include "compiler/model/model.h"
#include "compiler/model/views.h"

namespace cardwright::sema {

namespace view = ast::view;
using ast::Node;
using ast::NodeKind;
using model::Block;
using model::Body;
using model::Carrier;
using model::CarrierKind;
using model::Expr;
using model::ExprKind;
using model::kMostInSet;
using model::kNone;
using model::kUnlimited;
using model::LocalId;
using model::Stmt;
using model::StmtKind;
using model::Type;
using model::TypeKind;

using Int = std::int64_t;

inline Type plain_type(TypeKind kind) {
  Type t;
  t.kind = kind;
  return t;
}
inline Type with_ref(TypeKind kind, std::uint32_t ref, bool optional = false) {
  Type t = plain_type(kind);
  t.ref = ref;
  t.optional = optional;
  return t;
}
inline Type integer_type(Int lo = -kUnlimited, Int hi = kUnlimited) {
  Type t = plain_type(TypeKind::integer);
  t.lo = lo;
  t.hi = hi;
  return t;
}
inline Type duration_type(Int lo = 0, Int hi = model::kLongest) {
  Type t = integer_type(lo, hi);
  t.ref = model::kDurationRef;
  return t;
}
inline bool is_duration(const Type& t) { return t.kind == TypeKind::integer && t.ref == model::kDurationRef; }
inline Type boolean_type() { return plain_type(TypeKind::boolean); }
inline Type player_type(bool optional = false) { return with_ref(TypeKind::player, ~0u, optional); }
inline Type card_type(std::uint32_t ref = ~std::uint32_t{0}, bool optional = false) {
  return with_ref(TypeKind::card, ref, optional);
}
inline Type enum_type(std::uint32_t ref) { return with_ref(TypeKind::enumeration, ref); }
inline Type kind_type() { return plain_type(TypeKind::kind); }
inline Type set_type(Type of) {
  Type t = plain_type(TypeKind::set);
  t.elem = std::make_shared<const Type>(std::move(of));
  return t;
}
inline Type list_type(Type of, Int most) {
  Type t = plain_type(TypeKind::list);
  t.elem = std::make_shared<const Type>(std::move(of));
  t.most = most;
  return t;
}
inline Type without_none(Type t) {
  t.optional = false;
  return t;
}
inline Type with_none(Type t) {
  t.optional = true;
  return t;
}

inline Type element_type(const Type& set) { return set.elem ? *set.elem : plain_type(TypeKind::poison); }

}   // namespace cardwright::sema
