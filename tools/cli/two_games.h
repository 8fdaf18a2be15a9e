// What commands take that hold two games against each other: a house rule and its base, or two variants of one game.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "cardwright/variants.hpp"
#include "tools/cli/arguments.h"

namespace cardwright::cli {

struct TwoGames {
  TableArguments from, to;

  void add(CLI::App& command, const std::string& standard);   // GAME, OTHER, --players, --with, --from-with
  // Both sit down as many as asked for, or else a number that both games can be played with; throws api::Error where
  // there is none.
  void choose_players(const api::Ruleset& a, const api::Ruleset& b);
  // OTHER is compiled as GAME is, both for these policies, and of both it is noted whose turns come in which order.
  void play_alike(const std::vector<std::string>& policies);
};

// The title, and options as arguments where some were given.
std::string title_of(const api::Ruleset& rules, const TableArguments& arguments);
// "Splash → Splash --with x, 5 players", and each difference.
void print_differences(const TwoGames& games, const api::Ruleset& a, const api::Ruleset& b,
                       const std::vector<api::Difference>& differences);

}   // namespace cardwright::cli
