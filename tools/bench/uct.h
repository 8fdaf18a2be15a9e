// UCT on the public interface: what a search makes of an engine.
#pragma once

#include <cstdint>
#include <vector>

#include "cardwright/cardwright.hpp"

namespace bench {

struct Search {
  std::size_t choice = 0;   // index of the option that was tried most often
  std::uint64_t simulations = 0;
  std::vector<std::uint32_t> visits;   // of each option
};

// A tree of all that was tried; at each leaf one random game to its end. Chance and what others hold are as in `state`:
// this is for games where everybody sees everything.
Search uct(const cardwright::api::State& state, std::uint64_t simulations, double constant, std::uint64_t seed);

}   // namespace bench
