// What simulate, trace and the parts of a simulation have in common.
#pragma once

#include <chrono>

#include "simulation/tally.h"
#include "api/game/game_data.h"

namespace cardwright::api::detail {

// Throws Error(caller) for settings with which nothing can be played.
void check_run(const Game& game, const SimulateSettings& settings);
// How many games tension looks into; 0 where it is not asked for.
std::uint64_t tension_games(const SimulateSettings& settings);

inline bool is_stopped(const SimulateSettings& settings) {
  return settings.stop && settings.stop->load(std::memory_order_relaxed);
}

inline double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Wins by speed and policy, where seats differ in them.
void add_groups(const Game& game, const SimulateSettings& settings, const Tally& tally, Statistics& statistics);

// Decisions of some games, and those of them with more than one option.
struct Asked {
  std::uint64_t games = 0, decisions = 0, asked = 0;
};
// As many of all decisions as in the games that were looked at.
void add_asked(const Asked& asked, Statistics& statistics);

}   // namespace cardwright::api::detail
