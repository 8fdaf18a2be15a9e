// Defines command-line arguments of the commands that compare two games: a house rule and its base, or two variants of
// one game.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "cardwright/variants.hpp"
#include "tools/cli/arguments.h"

namespace cardwright::cli {

struct TwoGames {
  TableArguments from, to;

  void add(CLI::App& command, const std::string& standard);   // GAME, OTHER, --players, --with, --from-with
  // Chooses the same number of players for both games: the requested number, or a number that both games allow. Throws
  // api::Error if there is no such number.
  void choose_players(const api::Ruleset& a, const api::Ruleset& b);
  // Sets the engine and policies of OTHER to those of GAME, and makes both record the turn order.
  void play_alike(const std::vector<std::string>& policies);
};

// Returns the title of the game, followed by the options as command-line arguments.
std::string title_of(const api::Ruleset& rules, const TableArguments& arguments);
// Prints "Splash → Splash --with x, 5 players", and each difference.
void print_differences(const TwoGames& games, const api::Ruleset& a, const api::Ruleset& b,
                       const std::vector<api::Difference>& differences);

}   // namespace cardwright::cli
