// Reads the theme of a game on a page: images, colors and layout from the `.look` files beside its rules
// (docs/reference/theme.md).
#pragma once

#include <string>
#include <vector>

#include "cardwright/cardwright.hpp"

namespace cardwright::api {

struct LookImage {
  std::string id;   // identifier in `Look::json`: digest and extension, "0123….png"
  std::string path;   // path of the file
  std::string type;   // "image/png", "image/webp", "image/jpeg"
};

struct Look {
  std::string json = "null";   // the object `look` of docs/reference/protocol.md; null if there is no theme file
  std::vector<LookImage> images;
  Omitted hidden;   // the zones and variables with the property `hidden`
  std::vector<std::string> files;   // all files whose changes affect the theme, including files that do not exist yet
  Report report;   // warnings about ignored entries
};

// Merges the theme files of libraries, base games and the game itself; later files override earlier ones. Errors in the
// files are reported as warnings, not thrown.
Look look_of(const Game& game);

}   // namespace cardwright::api
