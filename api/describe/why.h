// Explains why a player cannot use a card or an action now.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/game/game_data.h"

namespace cardwright::api::detail {

// Returns one answer per action that the name `what` can refer to; empty for an unknown name.
std::vector<std::string> why(const StateData& now, int player, std::string_view what);
// Returns the failing condition of one action for a player and a card (or kNone), with the condition's place in the
// rules; empty if no condition fails.
std::string failing_condition(const StateData& state, Int action, int player, Int card);

}   // namespace cardwright::api::detail
