// `cardwright diff` lists the rules that a house rule or an option adds, removes or changes.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tools/cli/two_games.h"

namespace cardwright::cli {

namespace {

using Json = nlohmann::ordered_json;

struct DiffArguments {
  TwoGames games;
  bool json = false;
};

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

int diff(DiffArguments arguments) {
  TwoGames& games = arguments.games;
  if (games.to.game.empty()) games.to.game = games.from.game;
  const api::Ruleset from = games.from.load(), to = games.to.load();
  games.choose_players(from, to);
  const auto differences = api::diff(from, games.from.configuration(), to, games.to.configuration());
  if (arguments.json) {
    Json out = {{"from", side(from, games.from)}, {"to", side(to, games.to)}, {"differences", Json::array()}};
    for (const api::Difference& d : differences) out["differences"].push_back(difference(d));
    fmt::print("{}\n", out.dump());
    return kFine;
  }
  print_differences(games, from, to, differences);
  return kFine;
}

}   // namespace

void add_diff(CLI::App& app, Run& run) {
  auto* command =
      app.add_subcommand("diff", "list the rules that differ between two games, or between two variants of a game");
  auto arguments = std::make_shared<DiffArguments>();
  arguments->games.add(*command, "GAME itself, with other options");
  command->add_flag("--json", arguments->json, "print the result as one JSON object");
  command->footer(
      "The comparison ignores blanks, comments and order; the output shows the source lines.\nExamples: cardwright "
      "diff splash our_rules.rules; cardwright diff splash --with snorkel=icon20");
  command->callback([&run, arguments, command] {
    need_text(*command, "OTHER", arguments->games.to.game, "game");
    run = [arguments] { return diff(*arguments); };
  });
}

}   // namespace cardwright::cli
