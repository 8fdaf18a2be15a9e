// Builds `not`, `and` and `or`, and decides which expressions can be evaluated twice.
#include "compiler/sema/operations/logic.h"

#include <algorithm>

#include "compiler/model/purity.h"
#include "compiler/sema/symbols/make.h"

namespace cardwright::sema {

const Expr* negated(SemaContext& sema, const Expr* e) {
  if (is_poison(e)) return e;
  if (e->kind == ExprKind::constant) return boolean_constant(sema, !e->value, e->range);
  return make(sema, ExprKind::logical_not, boolean_type(), e->range, {e});
}

const Expr* both(SemaContext& sema, const Expr* a, const Expr* b) {
  if (!a) return b;
  if (!b) return a;
  if (is_poison(a)) return a;
  if (is_poison(b)) return b;
  Range range = a->range;
  if (b->range.source == a->range.source && b->range.end > a->range.end) range.end = b->range.end;
  return make(sema, ExprKind::logical_and, boolean_type(), range, {a, b});
}

const Expr* either(SemaContext& sema, const Expr* a, const Expr* b, Range range) {
  if (is_poison(a)) return a;
  if (is_poison(b)) return b;
  return make(sema, ExprKind::logical_or, boolean_type(), range, {a, b});
}

bool pure_expr(const Expr& e) {
  return !model::can_act(e.kind) &&
         std::all_of(e.args.begin(), e.args.end(), [](const Expr* a) { return !a || pure_expr(*a); });
}

}   // namespace cardwright::sema
