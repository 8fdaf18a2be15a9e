// What a page must know of a game before it shows any of it: docs/reference/protocol.md, "The description of a game".
#pragma once

#include <string>

#include "cardwright/cardwright.hpp"

namespace cardwright::api::detail {

std::string description_of(const Game& game);

}   // namespace cardwright::api::detail
