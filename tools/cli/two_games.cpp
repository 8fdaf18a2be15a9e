// Loads and prints the two games that a command compares.
#include "tools/cli/two_games.h"

#include <algorithm>

#include <fmt/format.h>

#include "cardwright/tools.hpp"
#include "tools/cli/terminal.h"

namespace cardwright::cli {

void TwoGames::add(CLI::App& command, const std::string& standard) {
  from.add_game(command);
  command.add_option("OTHER", to.game, "the game to compare with, such as a house rule (default: " + standard + ")");
  command.add_option("--players", from.players, "number of players (default: the usual number in the rules)")
      ->check(CLI::Range(1, 16))
      ->type_name("N");
  command.add_option("--with", to.with, "an option of OTHER, as `name` or `name=value`, or a variant; can be repeated")
      ->type_name("OPTION[=VALUE]")
      ->take_all()
      ->expected(1);
  command.add_option("--from-with", from.with, "an option of GAME, in the same form")
      ->type_name("OPTION[=VALUE]")
      ->take_all()
      ->expected(1);
}

void TwoGames::choose_players(const api::Ruleset& a, const api::Ruleset& b) {
  int players = from.players ? from.players : b.usual_players();
  if (!from.players && (players < a.least_players() || players > a.most_players()))
    players = std::max(a.least_players(), b.least_players());
  const bool both = players >= a.least_players() && players <= a.most_players() && players >= b.least_players() &&
                    players <= b.most_players();
  if (!from.players && !both) throw api::Error(api::Blame::caller, "no number of players suits both games");
  from.players = to.players = players;
}

void TwoGames::play_alike(const std::vector<std::string>& policies) {
  from.policies = to.policies = api::policies_named(policies);
  to.engine = from.engine;
  to.plain = from.plain;
  from.measures.push_back(api::kTurnOrder);
  to.measures = from.measures;
}

std::string title_of(const api::Ruleset& rules, const TableArguments& arguments) {
  const api::Configuration configuration = arguments.configuration();
  const std::string options = api::as_arguments({0, configuration.options});
  return coloured(Colour::bold, rules.title()) + (options.empty() ? "" : " " + options);
}

static void print_difference(const api::Difference& d) {
  const Colour colour = d.change == "added" ? Colour::green : d.change == "removed" ? Colour::red : Colour::yellow;
  const std::string places = d.from_place.empty() || d.to_place.empty() || d.from_place == d.to_place
                                 ? d.from_place + (d.from_place.empty() ? d.to_place : "")
                                 : d.from_place + " → " + d.to_place;
  fmt::print("\n{} {}{}{}{}\n", coloured(colour, padded(d.change, 8)), d.kind,
             d.kind.empty() || d.name.empty() ? "" : " ", coloured(Colour::bold, d.name),
             places.empty() ? "" : "   " + coloured(Colour::dim, places));
  if (d.lines.empty())
    fmt::print("    {}\n", coloured(Colour::dim, "same text, but a declaration that it uses differs"));
  for (const std::string& line : d.lines)
    fmt::print("    {}\n", coloured(line.starts_with('+') ? Colour::green : Colour::red, line));
}

void print_differences(const TwoGames& games, const api::Ruleset& a, const api::Ruleset& b,
                       const std::vector<api::Difference>& differences) {
  fmt::print("{} → {}, {}\n", title_of(a, games.from), title_of(b, games.to),
             plural(static_cast<std::size_t>(games.from.players), "player"));
  for (const api::Difference& d : differences) print_difference(d);
  fmt::print("\n{}\n", differences.empty()
                           ? "no difference"
                           : fmt::format("{} difference{}", differences.size(), differences.size() == 1 ? "" : "s"));
}

}   // namespace cardwright::cli
