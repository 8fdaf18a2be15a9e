// Splits a Model into entities, each with a string that describes its meaning, so that `cardwright diff` can compare
// Models.
#pragma once

#include <string>
#include <vector>

#include "compiler/model/model.h"

namespace cardwright::model {

struct Entity {
  std::string kind;   // the keyword in the rules: "card", "event", "after" …
  std::string name;   // "Miss", "lose", "hand_limit of Blanket"; not unique
  std::string meaning;   // equal for entities with the same meaning, even if declared in different places
  Range range;
  std::vector<Range> parts;   // the ranges of the entity's statements, if several files contribute to it
};

// Returns the entities in the same order as print(): options, components, state, rules, flow. Excludes scenarios.
std::vector<Entity> entities(const Model& model);

}   // namespace cardwright::model
