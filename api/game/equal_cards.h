// Describes the position of an option's card among equal cards, to distinguish such options.
#pragma once

#include <string>

#include "api/game/game_data.h"

namespace cardwright::api::detail {

// Returns " (2nd of 3)" if the order of equal cards matters and the zone has several of them; otherwise an empty
// string. With `only_in_public`, includes only cards whose position all players see.
std::string places_among_equals(const StateData& state, Int id, bool only_in_public);

}   // namespace cardwright::api::detail
