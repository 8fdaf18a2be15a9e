// Reads a theme, which defines how a web page displays a game: the file `hearts.look` in the folder of `hearts.rules`.
// A theme does not affect the rules or what players know.
//
//   zone hand: fan, sort by suit, rank
//   constant hearts: "♥", colour red
//
// docs/reference/theme.md lists the properties. An invalid line, or one that names something unknown, is ignored with a
// warning.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "support/diagnostics.h"

namespace cardwright::theme {

// The names that a theme can refer to.
struct Names {
  // Returns whether the game declares something of this kind ("zone", "card") with this name.
  std::function<bool(std::string_view sort, std::string_view name)> has;
  std::function<std::vector<std::string>(std::string_view sort)> all;   // used for suggestions
};

// An image file named in a theme; the file is in the folder of the theme.
struct Image {
  Range range;
  std::string name;
};

struct Look {
  // The properties in the format of docs/reference/protocol.md: {zones: {hand: {fan: true, sort: ["suit", "rank"]}}, …,
  // pace, linger}. Image names are spelled as in the theme file.
  nlohmann::json properties = nlohmann::json::object();
  std::vector<Image> images;
};

// Adds the properties in this file to `look`; they override those of earlier files.
void add(SourceId source, const SourceMap& sources, const Names& names, Diagnostics& diagnostics, Look& look);

}   // namespace cardwright::theme
