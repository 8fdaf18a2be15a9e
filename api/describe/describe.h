// Creates the description of a game that a page needs before it shows any state: docs/reference/protocol.md, "The description of
// a game".
#pragma once

#include <string>

#include "cardwright/cardwright.hpp"

namespace cardwright::api::detail {

std::string description_of(const Game& game);

}   // namespace cardwright::api::detail
