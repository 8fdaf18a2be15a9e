// Plays the random games with which `check` finds errors and endless games.
#pragma once

#include <memory>

#include "api/compile/compile.h"
#include "api/game/game_data.h"

namespace cardwright::api::detail {

inline constexpr std::uint64_t kRandomGames = 20;   // per table

struct RandomPlay {
  std::uint64_t games = 0;   // games played to their end or to an error
  bool all_failed = false;   // a runtime error ended each of them
  bool cut_short = false;   // the time limit prevented further games, and no message reports this
};

// Plays uniformly random games. Warns if errors end some games, or if games do not end. With `judges_limits`, also
// warns if most games end only because a limit such as `up to n` is reached; because this depends on the number of
// players, it is checked at only one table.
RandomPlay look_at_random_play(const std::shared_ptr<const Compiled>& compiled, bool judges_limits, Diagnostics& say);

}   // namespace cardwright::api::detail
