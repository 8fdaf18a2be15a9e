// The rules of a game as far as they are written for people: what is printed, what one may do and when, how it ends.
#pragma once

#include <string>
#include <vector>

#include "api/game/game_data.h"

namespace cardwright::api::detail {

// A line that ends in a colon is a heading. The game was made of rules.
std::vector<std::string> rules_in_words(const GameData& data);
// How it ends.
std::vector<std::string> endings_in_words(const GameData& data);

}   // namespace cardwright::api::detail
