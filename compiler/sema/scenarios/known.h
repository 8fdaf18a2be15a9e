// Resolves the operands of `knows` in scenarios, such as `reds.rank` in `given a knows reds.rank` and `b.hand` in `then
// a knows b.hand`.
#pragma once

#include <optional>
#include <vector>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

// A zone that a scenario names.
struct NamedZone {
  model::ZoneId zone;
  std::optional<Int> owner;   // the owner, for a zone of players
  Int copy = 0;   // the part of an area, or the team
};
std::optional<NamedZone> zone_named(RuleContext& rule, const Node* node);

// Returns everything that `what` names. If `what` names something that a player can't know, reports an error and
// returns nullopt.
std::optional<std::vector<model::Known>> known_things(RuleContext& rule, const Node* what);

}   // namespace cardwright::sema
