// Provides helpers that create plans.
#pragma once

#include <utility>

#include "compiler/plan/planning.h"

namespace cardwright::plan {

using model::LocalId;

// Approximate number of registers that one step of a plan needs. The total number limits the amount of code that
// inlining produces.
inline constexpr std::size_t kRegistersOfStep = 4;

template <class How>
PlanRef make(const Scope& scope, How how) {
  *scope.registers += kRegistersOfStep;
  return std::make_shared<const Plan>(Plan{std::move(how)});
}

// ---- the parts of planning
PlanRef plan_cells(const Scope& scope, const Expr& condition, LocalId cell, const Domain& domain);
PlanRef plan_any_other(const Scope& scope, const Expr& condition, LocalId element, Domain domain);
PlanRef plan_by_number(const Scope& scope, const Expr& condition, LocalId card, const Domain& domain);
PlanRef plan_by_value(const Scope& scope, const Expr& condition, LocalId element);
PlanRef plan_lanes(const Scope& scope, const Expr& condition, LocalId player);

// Returns the index of the argument that is the element, if all other arguments are the same for every element.
std::optional<std::size_t> element_argument(const ProgramFacts& game, const Expr& call, LocalId element);
// Returns whether the expression is a variable with one value for each element of the local's type, such as
// `p.shown[x]`. The elements with a given value can then be looked up.
bool has_one_each(const Scope& scope, const Expr& e, LocalId element);
// Returns the distance, in values, between the values of two consecutive elements in memory. Returns nullopt if the
// elements are not exactly the keys of the variable.
std::optional<Int> apart(const Scope& scope, const Expr& e, LocalId element);

inline bool is_local(const Expr& e, LocalId local) { return e.kind == model::ExprKind::local && e.local == local; }

// The two sides of a comparison: `mine` mentions the element, and `other` is the same for all elements.
struct Sides {
  Sides(const Expr& comparison, bool is_swapped)
      : mine(is_swapped ? *view::pair(comparison).right() : *view::pair(comparison).left()),
        other(is_swapped ? *view::pair(comparison).left() : *view::pair(comparison).right()),
        swapped(is_swapped) {}
  Sides(const Expr& comparison, LocalId element)
      : Sides(comparison, !mentions(*view::pair(comparison).left(), element)) {}
  const Expr &mine, &other;
  bool swapped;   // true if `other` is the left operand
};
inline constexpr Int kMostBit = 60;   // the maximum value that can be looked up in a mask

}   // namespace cardwright::plan
