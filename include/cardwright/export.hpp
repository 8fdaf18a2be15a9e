// Exports a game as one HTML page that works offline: `cardwright export`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cardwright/cardwright.hpp"

namespace cardwright::report {

struct Exported {
  std::vector<api::Game> games;   // games of one ruleset: one for each number of players that the page offers
  std::string about;   // one-sentence description of the game
  double bot_seconds = 0.2;   // default thinking time of bots per decision
  std::optional<std::uint64_t> seed;   // seed of every game; empty: a new random seed for each game
};

// Parts of the page. npm bundles the script and the style sheet from tools/web/, and clang-19 compiles the table core
// to WebAssembly.
struct ExportBundle {
  std::string page, style, script, script_hash;
  std::string code;   // WebAssembly
};
// Returns the bundle of this build. Throws Error(caller) with build instructions if the bundle was not built.
ExportBundle export_bundle();

// Returns the complete page as a single file. Throws Error(caller) if there are no games, or if they have different
// rules.
std::string as_page(const Exported& what, const ExportBundle& bundle);

}   // namespace cardwright::report
