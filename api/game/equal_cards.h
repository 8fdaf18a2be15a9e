// Names the place of the card that an option means among equal cards, to tell such options apart.
#pragma once

#include <string>

#include "api/game/game_data.h"

namespace cardwright::api::detail {

// " (2nd of 3)", where the order of equal cards matters and several lie there; else empty. `only_in_public`: of those
// alone whose place everybody sees.
std::string places_among_equals(const StateData& state, Int id, bool only_in_public);

}   // namespace cardwright::api::detail
