// A game as one page that plays it without network: `cardwright export`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cardwright/cardwright.hpp"

namespace cardwright::report {

struct Exported {
  std::vector<api::Game> games;   // of one ruleset, to choose from: one for each number of players
  std::string about;   // what the game is, in a sentence
  double bot_seconds = 0.2;   // how long bots think, until somebody says otherwise
  std::optional<std::uint64_t> seed;   // of every game; none: a fresh one each time
};

// What it is made with: npm bundles the page from web/, clang-19 makes WebAssembly of the table core.
struct ExportBundle {
  std::string page, style, script, script_hash;
  std::string code;   // WebAssembly
};
// That of this build. Throws Error(caller) where it was not built, and says how it is.
ExportBundle export_bundle();

// The whole page, a single file. Throws Error(caller) where there is no game, or they are of different rules.
std::string as_page(const Exported& what, const ExportBundle& bundle);

}   // namespace cardwright::report
