// Creates the description of a game that a page needs before it shows any state ("The description of a game" in
// docs/reference/protocol.md).
#pragma once

#include <string>

#include "cardwright/cardwright.hpp"

namespace cardwright::api::detail {

std::string description_of(const Game& game);

}   // namespace cardwright::api::detail
