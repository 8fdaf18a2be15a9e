// Finds the zones in which the order of the cards matters, and the rules that depend on it.
#pragma once

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "compiler/model/model.h"

namespace cardwright::analysis {

// Returns for each zone whether all players see its faceup cards and their order is never random.
std::vector<bool> zones_in_known_order(const model::Model& model);

struct Orders {
  std::vector<bool> read;   // by zone: true if a rule or scenario reads the order, or players see it
  std::vector<bool> arranged;   // by zone: true if a player may arrange its cards
  // By zone: true if identical cards at different positions are different options, because a rule reads the order or a
  // player arranges the cards.
  std::vector<bool> distinguishable;
  std::set<std::uint32_t> always;   // zones whose order is read in every game
  // Zones whose order is read only if a player has one of these characters, each given as (variable, character).
  std::map<std::uint32_t, std::set<std::pair<std::uint32_t, std::int64_t>>> by_character;
  bool matters(std::uint32_t zone) const { return always.contains(zone) || by_character.contains(zone); }
};
Orders orders_in(const model::Model& model);

}   // namespace cardwright::analysis
