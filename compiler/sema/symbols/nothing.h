// Finds expressions whose value can be none because a set is empty, such as `most of …`.
#pragma once

#include "compiler/model/views.h"

namespace cardwright::sema {

// Returns the subexpression of `e` that may be none, or null. Ignores `top of z` and `first of S`, because rules may
// use these without a check (is_soft).
inline const model::Expr* may_be_nothing(const model::Expr* e) {
  using model::ExprKind;
  if (!e) return nullptr;
  switch (e->kind) {
    case ExprKind::aggregate: {
      const model::Aggregate how = model::view::aggregate(e).how();
      const bool best = how == model::Aggregate::most || how == model::Aggregate::least;
      if (!best) return nullptr;
      const model::view::aggregate its(e);
      const model::Expr* over = its.domain();
      const bool has_players = over->kind == ExprKind::players_in || over->kind == ExprKind::everyone ||
                               (over->kind == ExprKind::set_constant && !over->values.empty());
      if (!has_players || its.where()) return e;
      return may_be_nothing(its.body());
    }
    case ExprKind::conditional: {
      const model::Expr* yes = may_be_nothing(model::view::conditional(e).then());
      return yes ? yes : may_be_nothing(model::view::conditional(e).otherwise());
    }
    case ExprKind::or_else: return may_be_nothing(model::view::or_else(e).otherwise());
    default: return nullptr;
  }
}

}   // namespace cardwright::sema
