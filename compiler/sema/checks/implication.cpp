// Decides whether one condition implies another by comparing their structure. Two names bound by quantifiers are
// treated as equal if they are bound at the same position.
// Input:  two checked conditions.
// Output: true only if the implication is certain.
#include "compiler/sema/checks/implication.h"

#include <algorithm>
#include <map>

#include "compiler/model/views.h"

namespace cardwright::sema {

using model::Expr;
using model::ExprKind;
namespace view = model::view;

namespace {

using Locals = std::map<std::uint32_t, std::uint32_t>;   // maps locals of the first condition to those of the other one

bool same(const Expr* a, const Expr* b, Locals& locals) {
  if (!a || !b) return a == b;
  if (a->kind != b->kind || a->type.kind != b->type.kind || a->value != b->value || a->ref != b->ref ||
      a->values != b->values || a->args.size() != b->args.size() || a->local.valid() != b->local.valid())
    return false;
  if (a->local.valid()) {
    const auto [known, fresh] = locals.emplace(a->local.index, b->local.index);
    if (!fresh && known->second != b->local.index) return false;
  }
  return std::equal(a->args.begin(), a->args.end(), b->args.begin(),
                    [&](const Expr* x, const Expr* y) { return same(x, y, locals); });
}

bool is_number(const Expr* e) { return e && e->kind == ExprKind::constant; }
bool compares(const Expr& e) {
  return e.kind == ExprKind::less || e.kind == ExprKind::less_equal || e.kind == ExprKind::equal;
}

// The bounds that a comparison sets for an expression.
struct Bounds {
  const Expr* of = nullptr;
  bool has_least = false, has_most = false;
  std::int64_t least = 0, most = 0;
};
Bounds bounds_of(const Expr& e) {
  Bounds bounds;
  if (!compares(e) || view::pair(e).left()->type.kind != model::TypeKind::integer) return bounds;
  const Expr *left = view::pair(e).left(), *right = view::pair(e).right();
  const std::int64_t step = e.kind == ExprKind::less ? 1 : 0;
  if (is_number(left) == is_number(right)) return bounds;
  bounds.of = is_number(left) ? right : left;
  const bool both = e.kind == ExprKind::equal;
  if (is_number(left) || both) bounds.has_least = true, bounds.least = (is_number(left) ? left : right)->value + step;
  if (is_number(right) || both) bounds.has_most = true, bounds.most = (is_number(right) ? right : left)->value - step;
  return bounds;
}

bool narrower(const Expr& stronger, const Expr& weaker, Locals& locals) {
  const Bounds a = bounds_of(stronger), b = bounds_of(weaker);
  if (!a.of || !b.of || !same(a.of, b.of, locals)) return false;
  return (!b.has_least || (a.has_least && a.least >= b.least)) && (!b.has_most || (a.has_most && a.most <= b.most));
}

bool follows(const Expr& stronger, const Expr& weaker, const Locals& locals);

bool inside(const Expr& stronger, const Expr& weaker, Locals locals) {
  if (stronger.kind != ExprKind::exists || weaker.kind != ExprKind::exists) return false;
  const view::exists a(stronger), b(weaker);
  if (!same(a.domain(), b.domain(), locals) || !a.condition() || !b.condition()) return false;
  locals[stronger.local.index] = weaker.local.index;
  return follows(*a.condition(), *b.condition(), locals);
}

bool follows(const Expr& stronger, const Expr& weaker, const Locals& locals) {
  if (weaker.kind == ExprKind::logical_and)
    return follows(stronger, *view::pair(weaker).left(), locals) &&
           follows(stronger, *view::pair(weaker).right(), locals);
  if (stronger.kind == ExprKind::logical_or)
    return follows(*view::pair(stronger).left(), weaker, locals) &&
           follows(*view::pair(stronger).right(), weaker, locals);
  if (stronger.kind == ExprKind::logical_and &&
      (follows(*view::pair(stronger).left(), weaker, locals) || follows(*view::pair(stronger).right(), weaker, locals)))
    return true;
  if (weaker.kind == ExprKind::logical_or &&
      (follows(stronger, *view::pair(weaker).left(), locals) || follows(stronger, *view::pair(weaker).right(), locals)))
    return true;
  if (stronger.kind == ExprKind::logical_not && weaker.kind == ExprKind::logical_not) {
    Locals turned;
    for (const auto& [a, b] : locals) turned[b] = a;
    return follows(*view::logical_not(weaker).operand(), *view::logical_not(stronger).operand(), turned);
  }
  Locals trial = locals;
  if (same(&stronger, &weaker, trial)) return true;
  trial = locals;
  if (narrower(stronger, weaker, trial)) return true;
  return inside(stronger, weaker, locals);
}

}   // namespace

bool implies(const Expr& stronger, const Expr& weaker) { return follows(stronger, weaker, {}); }

}   // namespace cardwright::sema
