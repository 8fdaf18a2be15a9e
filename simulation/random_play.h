// What `check` finds out by playing.
#pragma once

#include <memory>

#include "api/compile/compile.h"
#include "api/game/game_data.h"

namespace cardwright::api::detail {

inline constexpr std::uint64_t kRandomGames = 20;   // at each table

struct RandomPlay {
  std::uint64_t games = 0;   // played to their end or to an error
  bool all_failed = false;   // an error ended each of them
  bool cut_short = false;   // there was no time for the other games, and no message says so
};

// Plays uniformly random games. Warns if an error ends some of them or if they don't end; with `judges_limits` also if
// most of them end only because a limit such as `up to n` is reached. That depends on the number of players, so it is
// judged at one table.
RandomPlay look_at_random_play(const std::shared_ptr<const Compiled>& compiled, bool judges_limits, Diagnostics& say);

}   // namespace cardwright::api::detail
