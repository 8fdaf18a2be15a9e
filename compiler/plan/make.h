// How plans are made while planning.
#pragma once

#include <utility>

#include "compiler/plan/planning.h"

namespace cardwright::plan {

using model::LocalId;

// About how many registers a step takes; it is counted because functions that are inlined into one another may grow
// without end.
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

// Which argument is the element, where the others are the same for all of them.
std::optional<std::size_t> element_argument(const ProgramFacts& game, const Expr& call, LocalId element);
// `p.shown[x]`: a value that each element of the local's type has one of, and that can be looked up by value.
bool has_one_each(const Scope& scope, const Expr& e, LocalId element);
// Where such values lie: how far apart those of two elements that come one after the other.
std::optional<Int> apart(const Scope& scope, const Expr& e, LocalId element);

inline bool is_local(const Expr& e, LocalId local) { return e.kind == model::ExprKind::local && e.local == local; }

// A comparison: the side that names the element, and the one that is the same for all of them.
struct Sides {
  Sides(const Expr& comparison, bool is_swapped)
      : mine(is_swapped ? *view::pair(comparison).right() : *view::pair(comparison).left()),
        other(is_swapped ? *view::pair(comparison).left() : *view::pair(comparison).right()),
        swapped(is_swapped) {}
  Sides(const Expr& comparison, LocalId element)
      : Sides(comparison, !mentions(*view::pair(comparison).left(), element)) {}
  const Expr &mine, &other;
  bool swapped;   // the other stands first
};
inline constexpr Int kMostBit = 60;   // of what is looked up by value

}   // namespace cardwright::plan
