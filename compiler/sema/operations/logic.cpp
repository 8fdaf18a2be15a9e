// Builds `not`, `and` and `or`, and decides which expressions can be evaluated twice.
#include "compiler/sema/operations/logic.h"

#include <algorithm>

#include "compiler/model/purity.h"
#include "compiler/sema/operations/bounds.h"
#include "compiler/sema/operations/lists.h"
#include "compiler/sema/operations/records.h"
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

const Expr* list_with(RuleContext& rule, const Expr* list, const Expr* element, Range range) {
  if (is_sequence(rule, list)) return not_a_value(rule.sema, list);
  element = convert_in_bounds(rule, element, element_type(list->type), "an element", "an element");
  if (is_poison(element)) return element;
  if (list->kind == ExprKind::record) {
    if (!only_looks(rule.sema, list) || !only_looks(rule.sema, element)) return poison(rule.sema, range);
    return fieldwise(
        rule.sema, {list, element}, [&](const auto& x) { return list_with(rule, x[0], x[1], range); },
        [](const Type& t) { return list_type(*t.elem, t.most + 1); });
  }
  const Type& of = list->type;
  return make(rule.sema, ExprKind::list_add,
              list_type(element_type(of), of.elem->elem ? std::min(of.most + 1, most_in(rule.sema, of)) : of.most + 1),
              range, {list, element});
}

bool pure_expr(const Expr& e) {
  return !model::can_act(e.kind) &&
         std::all_of(e.args.begin(), e.args.end(), [](const Expr* a) { return !a || pure_expr(*a); });
}

}   // namespace cardwright::sema
