// Plays the random games with which Ruleset::check finds runtime errors and endless games.
#pragma once

#include <memory>

#include "api/compile/compile.h"
#include "api/game/game_data.h"

namespace cardwright::api::detail {

inline constexpr std::uint64_t kRandomGames = 20;   // number of games per table

struct RandomPlay {
  std::uint64_t games = 0;   // games played to their end or to an error
  bool all_failed = false;   // a runtime error ended each of these games
  bool cut_short = false;   // a limit prevented further games, which no diagnostic reports
};

// Plays uniformly random games. Warns about runtime errors and games that do not end. With `judges_limits`, also warns
// if most games end only because a limit such as `up to n` is reached. Only one table is judged in this way.
RandomPlay look_at_random_play(const std::shared_ptr<const Compiled>& compiled, bool judges_limits, Diagnostics& say);

}   // namespace cardwright::api::detail
