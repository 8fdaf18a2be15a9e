// Declares a UCT search that uses the public interface, to measure the speed of the engines in a search.
#pragma once

#include <cstdint>
#include <vector>

#include "cardwright/cardwright.hpp"

namespace bench {

struct Search {
  std::size_t choice = 0;   // index of the most visited option
  std::uint64_t simulations = 0;
  std::vector<std::uint32_t> visits;   // number of visits of each option
};

// Searches from `state`. Each simulation plays one random game from a leaf of the tree. The search uses the random
// streams and hidden cards of `state`, so it is meant for games with perfect information.
Search uct(const cardwright::api::State& state, std::uint64_t simulations, double constant, std::uint64_t seed);

}   // namespace bench
