// Splits a Model into its entities, each with a text of its meaning, for comparison by `cardwright diff`.
#pragma once

#include <string>
#include <vector>

#include "compiler/model/model.h"

namespace cardwright::model {

struct Entity {
  std::string kind;   // "card", "event", "after" …: the keyword in rules
  std::string name;   // "Miss", "lose", "hand_limit of Blanket"; not unique
  std::string meaning;   // equal for entities with the same meaning, independent of their position
  Range range;
  std::vector<Range> parts;   // for entities to which several files contribute: the ranges of the statements
};

// Returns the entities in the order of print(): options, components, state, rules, flow. Scenarios are not included.
std::vector<Entity> entities(const Model& model);

}   // namespace cardwright::model
