// Resolves the objects of `knows` in scenarios: `given a knows reds.rank`, `then a knows b.hand`.
#pragma once

#include <optional>
#include <vector>

#include "compiler/sema/context.h"

namespace cardwright::sema {

// A zone that a scenario names.
struct NamedZone {
  model::ZoneId zone;
  std::optional<Int> owner;   // of a zone that each player has
  Int copy = 0;   // of an area or a team
};
std::optional<NamedZone> zone_named(RuleContext& rule, const Node* node);

// Returns everything that `what` names; reports an error and returns nothing if a player can't know it.
std::optional<std::vector<model::Known>> known_things(RuleContext& rule, const Node* what);

}   // namespace cardwright::sema
