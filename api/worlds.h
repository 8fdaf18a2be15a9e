// Other worlds in which a player may be, for all that they know: State::resample.
#pragma once

#include "api/game_data.h"

namespace cardwright::api::detail {

// What it took to find worlds. Tests count it.
struct WorldCounts {
  std::uint64_t worlds = 0, drawn = 0;       // found; tried for that
  std::uint64_t other_options = 0;           // of those tried: the player asked would have had other options
  std::uint64_t walked = 0;                  // found only by a walk from the truth
  std::uint64_t failed = 0;
};

// A state with the same view, the same question to the same player and, if that is the observer, the same options.
// Throws Error(us) if none is found. `truth` is only listed.
std::unique_ptr<StateData> other_world(StateData& truth, int observer, std::uint64_t seed,
                                       WorldCounts* counts = nullptr);

}  // namespace cardwright::api::detail
