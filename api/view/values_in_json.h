// Converts observed values to JSON: names and labels for programs, or numbers of seats and prints for pages, which find
// their meaning in the description of the game.
#pragma once

#include <nlohmann/json.hpp>

#include "api/view/observed_state.h"

namespace cardwright::api::detail {

class ValuesInJson {
 public:
  using Json = nlohmann::json;
  ValuesInJson(const GameData& game, bool named) : program_(game.program()), prints_(game.prints().of), named_(named) {}

  Json of(const VariableInfo& info, const ObservedValue& value) const;
  Json player(Int seat) const;
  Json players(std::uint64_t mask) const;
  // Returns a list of cards with null for each unknown card.
  Json cards(const std::vector<Int>& cards) const;
  // Returns a value that a board shows.
  Json shown(const BoardShows& shows, Int value) const;

 private:
  Json card(Int card) const;
  Json single(const VariableInfo& info, Int x) const;
  Json set(const VariableInfo& info, const ObservedSet& set) const;
  Json element(Int enumeration, Int x) const;

  const Program& program_;
  const std::vector<Int>& prints_;
  const bool named_;
};

}   // namespace cardwright::api::detail
