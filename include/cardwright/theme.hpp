// How a game looks on a page: what the `.look` files beside its rules say. docs/reference/theme.md.
#pragma once

#include <string>
#include <vector>

#include "cardwright/cardwright.hpp"

namespace cardwright::api {

struct LookImage {
  std::string id;   // by which `Look::json` names it: digest and ending, "0123….png"
  std::string path;   // of the file
  std::string type;   // "image/png", "image/webp", "image/jpeg"
};

struct Look {
  std::string json = "null";   // `look` of docs/reference/protocol.md; null where there is no such file
  std::vector<LookImage> images;
  std::vector<std::string> files;   // that were read, or would be if they were there
  Report report;   // warnings: what was left out
};

// Those of libraries and base games come first, and what comes later counts. Never throws for what stands in them.
Look look_of(const Game& game);

}   // namespace cardwright::api
