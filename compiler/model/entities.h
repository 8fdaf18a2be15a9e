// A Model taken apart into the things it is made of, each with what it means as text: what `cardwright diff` compares.
#pragma once

#include <string>
#include <vector>

#include "compiler/model/model.h"

namespace cardwright::model {

struct Entity {
  std::string kind;   // "card", "event", "after" …: what it is called in rules
  std::string name;   // "Miss", "lose", "hand_limit of Blanket"; several may have one name
  std::string meaning;   // equal for what is alike, wherever it stands
  Range range;
  std::vector<Range> parts;   // of what several files may add to: where its statements stand
};

// In the order of print(): options, components, state, rules, flow. Scenarios are none.
std::vector<Entity> entities(const Model& model);

}   // namespace cardwright::model
