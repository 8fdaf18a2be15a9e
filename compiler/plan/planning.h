// How a condition over the elements of a domain can be worked out without a loop.
// In: where it stands, as far as that is known when compiling.   Out: a plan (plan.h), or none.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "compiler/plan/plan.h"

namespace cardwright::plan {

// While it is looked at, an element lies in the zone out of which it is taken.
struct TakenElement {
  const TakenElement* outer;
  const Names* names;
  model::LocalId element;
  const Expr* zone;
};

// Where a condition stands.
struct Scope {
  ProgramFacts* game;
  const Names* names;
  const TakenElement* taken = nullptr;
  int called_deep = 0;   // values written where they are called, one inside the other
  std::vector<std::uint32_t> inlining = {};   // functions
  const Expr* only_whether = nullptr;   // of this condition it is asked only whether any element has it
  std::size_t* registers = nullptr;   // about how many there will be

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

// What is narrowed.
struct Domain {
  bool wide = false;   // a set of words, else a mask
  bool cards = false;
  std::optional<std::vector<Int>> among = {};   // the only cards that it can hold
};

// Which elements of the domain have it.
PlanRef plan_set(const Scope& scope, const Expr& condition, model::LocalId element, const Domain& domain);
PlanRef plan_mask(const Scope& scope, const Expr& condition, model::LocalId element);
inline PlanRef plan_where(const Scope& scope, const Expr& condition, model::LocalId element, const Domain& domain) {
  return domain.wide ? plan_set(scope, condition, element, domain) : plan_mask(scope, condition, element);
}
// The same as who is asked may know it, of masks.
PlanRef plan_as_known(const Scope& scope, const Expr& condition, model::LocalId element);
// Of an `aggregate`.
std::optional<Total> plan_total(const Scope& scope, const Expr& aggregate);

// The zone out of which the element is taken, if the player sees into it and some of its cards lie face down: then it
// is asked only of those what they know. Else null.
const Expr* known_zone(ProgramFacts& game, const Names* names, const TakenElement* taken, model::LocalId element,
                       const Expr& who);

}   // namespace cardwright::plan
