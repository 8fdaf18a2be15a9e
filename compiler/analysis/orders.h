// Whether it matters in which order the cards of a pile lie, and to whom.
#pragma once

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "compiler/model/model.h"

namespace cardwright::analysis {

// By zone: all see its cards, those that lie face down excepted, and none ever lies there in an order that chance has
// still to decide.
std::vector<bool> zones_in_known_order(const model::Model& model);

struct Orders {
  std::vector<bool> read;   // by zone: a rule, a scenario or a person looks at it
  std::vector<bool> arranged;   // by zone: somebody may arrange its cards
  // by zone: equal cards at different places are different options, because a rule reads the order or a player
  // arranges the cards
  std::vector<bool> told_apart;
  std::set<std::uint32_t> always;   // zones that are read whoever sits at the table, and …
  // … where somebody has a character: (variable, character)
  std::map<std::uint32_t, std::set<std::pair<std::uint32_t, std::int64_t>>> by_character;
  bool matters(std::uint32_t zone) const { return always.contains(zone) || by_character.contains(zone); }
};
Orders orders_in(const model::Model& model);

}   // namespace cardwright::analysis
