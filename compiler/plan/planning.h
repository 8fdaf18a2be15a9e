// Plans the evaluation of a condition over the elements of a domain without a loop.
// Input:  the condition, and the compile-time information about its context (Scope).
// Output: a plan (plan.h), or null if a loop is required.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "compiler/plan/plan.h"

namespace cardwright::plan {

// An element taken from a zone, on which a condition is being planned. `outer` is the element of the enclosing
// condition.
struct TakenElement {
  const TakenElement* outer;
  const Names* names;
  model::LocalId element;
  const Expr* zone;
};

// The context of a condition.
struct Scope {
  ProgramFacts* game;
  const Names* names;
  const TakenElement* taken = nullptr;
  int called_deep = 0;   // nesting depth of inlined values
  std::vector<std::uint32_t> inlining = {};   // the functions that are being inlined
  // For this condition, only existence matters: the result must be nonzero exactly if any element satisfies it.
  const Expr* only_whether = nullptr;
  std::size_t* registers = nullptr;   // approximate number of registers used so far

  bool has_room() const { return *registers < kRoom; }
  static constexpr std::size_t kRoom = 2000;
  Scope in(const Names& inner) const {
    Scope scope = *this;
    scope.names = &inner;
    return scope;
  }
  Scope deeper() const {
    Scope scope = *this;
    ++scope.called_deep;
    return scope;
  }
};
inline constexpr int kDeepestCall = 4;

// The domain to which the condition is applied.
struct Domain {
  bool wide = false;   // stored in words instead of a mask
  bool cards = false;
  std::optional<std::vector<Int>> among = {};   // the only cards that the domain can contain
};

// Plans which elements of the domain satisfy the condition.
PlanRef plan_set(const Scope& scope, const Expr& condition, model::LocalId element, const Domain& domain);
PlanRef plan_mask(const Scope& scope, const Expr& condition, model::LocalId element);
inline PlanRef plan_where(const Scope& scope, const Expr& condition, model::LocalId element, const Domain& domain) {
  return domain.wide ? plan_set(scope, condition, element, domain) : plan_mask(scope, condition, element);
}
// Like plan_mask(), but limited to the knowledge of the deciding player.
PlanRef plan_as_known(const Scope& scope, const Expr& condition, model::LocalId element);
// Plans an `aggregate` expression, or returns nullopt if it requires a loop.
std::optional<Total> plan_total(const Scope& scope, const Expr& aggregate);

// Returns the zone from which the element is taken, if the player can see into that zone and some of its cards may be
// face-down. Only the face-down cards then need a check of the player's knowledge. Returns null otherwise.
const Expr* known_zone(ProgramFacts& game, const Names* names, const TakenElement* taken, model::LocalId element,
                       const Expr& who);

}   // namespace cardwright::plan
