// What `check` finds out by playing.
#pragma once

#include <memory>

#include "api/compile.h"
#include "play/game_data.h"

namespace cardwright::api::detail {

// Warns when a rule ends uniformly random games with an error, or they don't end, or mostly by a guard.
bool look_at_random_play(const std::shared_ptr<const Compiled>& compiled, Diagnostics& say);

}  // namespace cardwright::api::detail
