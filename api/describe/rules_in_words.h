// Formats the user-visible part of a game's rules: printed values, actions and their conditions, and endings.
#pragma once

#include <string>
#include <vector>

#include "api/game/game_data.h"

namespace cardwright::api::detail {

// Returns the lines of the text. A line that ends in a colon is a heading. The game must have been compiled from rules.
std::vector<std::string> rules_in_words(const GameData& data);
// Returns the user-visible texts of the endings.
std::vector<std::string> endings_in_words(const GameData& data);

}   // namespace cardwright::api::detail
