// Formats a State as a player may see it: as JSON for pages and tools, and as lines for the terminal.
#pragma once

#include <string>
#include <vector>

#include "api/game/game_data.h"

namespace cardwright::api::detail {

// Returns the view as JSON; player -1 sees everything.
std::string view_json(const StateData& state, int player);
std::vector<TablePart> table_parts(const StateData& state, int player);
std::vector<std::string> table_words(const StateData& state, int player);
// Describes the timers of the open race at time `now`, and the time of its end.
std::vector<std::string> running_words(const StateData& state, Int now);

}   // namespace cardwright::api::detail
