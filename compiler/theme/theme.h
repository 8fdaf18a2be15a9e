// How a game looks on a page: a file of lines beside its rules, `hearts.look`. It changes nothing that anybody may know
// or do.
//
//   zone hand: fan, sort by suit, rank
//   constant hearts: "♥", colour red
//
// docs/reference/theme.md lists what can be said. A line that isn't understood, or names nothing of the game, is a warning and is
// left out.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "support/diagnostics.h"

namespace cardwright::theme {

// What a look can be about, and what goes by that name in a game.
struct Names {
  // Is there something of that sort ("zone", "card") and name?
  std::function<bool(std::string_view sort, std::string_view name)> has;
  std::function<std::vector<std::string>(std::string_view sort)> all;   // to guess from
};

// A picture that a look names, as written, beside the look.
struct Image {
  Range range;
  std::string name;
};

struct Look {
  // docs/reference/protocol.md: {zones: {hand: {fan: true, sort: ["suit", "rank"]}}, …, pace, linger}. Images are as written.
  nlohmann::json said = nlohmann::json::object();
  std::vector<Image> images;
};

// Adds what this file says to what others said before; the later one counts.
void add(SourceId source, const SourceMap& sources, const Names& names, Diagnostics& diagnostics, Look& look);

}   // namespace cardwright::theme
