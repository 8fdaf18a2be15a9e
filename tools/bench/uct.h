// A UCT search on the public interface, to measure the engines in a search.
#pragma once

#include <cstdint>
#include <vector>

#include "cardwright/cardwright.hpp"

namespace bench {

struct Search {
  std::size_t choice = 0;   // index of the most visited option
  std::uint64_t simulations = 0;
  std::vector<std::uint32_t> visits;   // of each option
};

// Searches from `state`; each simulation plays one random game from its leaf. Random streams and hidden cards are those
// of `state`, so the search is meant for games with perfect information.
Search uct(const cardwright::api::State& state, std::uint64_t simulations, double constant, std::uint64_t seed);

}   // namespace bench
