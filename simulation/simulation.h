// Declares functions that simulate(), trace() and SimulationPart share.
#pragma once

#include <chrono>

#include "simulation/tally.h"
#include "api/game/game_data.h"

namespace cardwright::api::detail {

// Throws Error(caller) for invalid settings.
void check_run(const Game& game, const SimulateSettings& settings);
// Returns the number of games for the tension analysis; 0 if it was not requested.
std::uint64_t tension_games(const SimulateSettings& settings);

inline bool is_stopped(const SimulateSettings& settings) {
  return settings.stop && settings.stop->load(std::memory_order_relaxed);
}

inline double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Adds wins by speed if speeds differ between seats, and wins by policy if policies do.
void add_groups(const Game& game, const SimulateSettings& settings, const Tally& tally, Statistics& statistics);

// Counts over the examined games: games, all decisions, and decisions with more than one option.
struct Asked {
  std::uint64_t games = 0, decisions = 0, asked = 0;
};
// Extrapolates the share of decisions with several options from the examined games to all games.
void add_asked(const Asked& asked, Statistics& statistics);

}   // namespace cardwright::api::detail
