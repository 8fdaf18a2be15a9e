// `cardwright diff`: what a house rule or an option changes, rule by rule.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cardwright/variants.hpp"
#include "cli/arguments.h"
#include "cli/terminal.h"

namespace cardwright::cli {

namespace {

using Json = nlohmann::ordered_json;

struct DiffArguments {
  TableArguments from, to;
  bool json = false;
};

// Both sit down as many as asked for, or else a number that both games can be played with.
void choose_players(const api::Ruleset& from, const api::Ruleset& to, DiffArguments& arguments) {
  int players = arguments.from.players ? arguments.from.players : to.usual_players();
  if (!arguments.from.players && (players < from.least_players() || players > from.most_players()))
    players = std::max(from.least_players(), to.least_players());
  const bool both = players >= from.least_players() && players <= from.most_players() &&
                    players >= to.least_players() && players <= to.most_players();
  if (!arguments.from.players && !both)
    throw api::Error(api::Blame::caller, "no number of players can play both games");
  arguments.from.players = arguments.to.players = players;
}

Json side(const api::Ruleset& rules, const TableArguments& arguments) {
  Json options = Json::object();
  for (const auto& [name, value] : arguments.configuration().options) options[name] = value;
  return {{"game", rules.name()},
          {"title", rules.title()},
          {"players", arguments.players},
          {"options", std::move(options)}};
}

Json difference(const api::Difference& d) {
  const auto place = [](const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); };
  return {{"change", d.change},          {"kind", d.kind},          {"name", d.name},
          {"from", place(d.from_place)}, {"to", place(d.to_place)}, {"lines", d.lines}};
}

std::string title(const api::Ruleset& rules, const TableArguments& arguments) {
  const api::Configuration configuration = arguments.configuration();
  const std::string options = as_arguments({0, configuration.options});
  return coloured(Colour::bold, rules.title()) + (options.empty() ? "" : " " + options);
}

void print_difference(const api::Difference& d) {
  const Colour colour = d.change == "added" ? Colour::green : d.change == "removed" ? Colour::red : Colour::yellow;
  const std::string places = d.from_place.empty() || d.to_place.empty() || d.from_place == d.to_place
                                 ? d.from_place + (d.from_place.empty() ? d.to_place : "")
                                 : d.from_place + " → " + d.to_place;
  fmt::print("\n{} {}{}{}{}\n", coloured(colour, padded(d.change, 8)), d.kind,
             d.kind.empty() || d.name.empty() ? "" : " ", coloured(Colour::bold, d.name),
             places.empty() ? "" : "   " + coloured(Colour::dim, places));
  if (d.lines.empty()) fmt::print("    {}\n", coloured(Colour::dim, "the same words, but what they use differs"));
  for (const std::string& line : d.lines)
    fmt::print("    {}\n", coloured(line.starts_with('+') ? Colour::green : Colour::red, line));
}

int diff(DiffArguments arguments) {
  if (arguments.to.game.empty()) arguments.to.game = arguments.from.game;
  const api::Ruleset from = arguments.from.load(), to = arguments.to.load();
  choose_players(from, to, arguments);
  const auto differences = api::diff(from, arguments.from.configuration(), to, arguments.to.configuration());
  if (arguments.json) {
    Json out = {{"from", side(from, arguments.from)}, {"to", side(to, arguments.to)}, {"differences", Json::array()}};
    for (const api::Difference& d : differences) out["differences"].push_back(difference(d));
    fmt::print("{}\n", out.dump());
    return kFine;
  }
  fmt::print("{} → {}, {}\n", title(from, arguments.from), title(to, arguments.to),
             plural(static_cast<std::size_t>(arguments.from.players), "player"));
  for (const api::Difference& d : differences) print_difference(d);
  fmt::print("\n{}\n", differences.empty()
                           ? "no difference"
                           : fmt::format("{} difference{}", differences.size(), differences.size() == 1 ? "" : "s"));
  return kFine;
}

}  // namespace

void add_diff(CLI::App& app, Run& run) {
  auto* command =
      app.add_subcommand("diff", "say, rule by rule, what differs between two games, or between variants of one");
  auto arguments = std::make_shared<DiffArguments>();
  arguments->from.add_game(*command);
  command->add_option(
      "OTHER", arguments->to.game,
      "the game to compare it with: a house rule of it, say (default: GAME itself, with other options)");
  command->add_option("--players", arguments->from.players, "how many sit down (default: what the rules call usual)")
      ->check(CLI::Range(1, 16))
      ->type_name("N");
  command
      ->add_option("--with", arguments->to.with,
                   "an option of OTHER, as `name` or `name=value`, or a variant; may be repeated")
      ->type_name("OPTION[=VALUE]")
      ->take_all()
      ->expected(1);
  command->add_option("--from-with", arguments->from.with, "likewise of GAME")
      ->type_name("OPTION[=VALUE]")
      ->take_all()
      ->expected(1);
  command->add_flag("--json", arguments->json, "print one JSON object instead");
  command->footer(
      "What the rules mean is compared, so blanks, comments and order make no difference; shown are the words.\n"
      "For example: cardwright diff splash our_rules.rules; cardwright diff splash --with snorkel=icon20");
  command->callback([&run, arguments, command] {
    need_text(*command, "OTHER", arguments->to.game, "game");
    run = [arguments] { return diff(*arguments); };
  });
}

}  // namespace cardwright::cli
