// `cardwright export` writes a game as one HTML page that plays it offline.
#include <filesystem>

#include <fmt/format.h>

#include "cardwright/export.hpp"
#include "cardwright/theme.hpp"
#include "cardwright/parts.hpp"
#include "tools/cli/terminal.h"
#include "tools/cli/web/commands.h"

namespace cardwright::cli {

namespace {

struct ExportArguments {
  TableArguments table;
  std::vector<int> players;   // several: the page offers a choice
  std::string web;
  double bots = 0.2;
  std::uint64_t seed = 0;
  bool seeded = false;
};

int export_game(const ExportArguments& arguments) {
  const report::ExportBundle bundle = report::export_bundle();
  const api::Ruleset rules = arguments.table.load();
  report::Exported what;
  what.about = rules.about();
  what.bot_seconds = arguments.bots;
  if (arguments.seeded) what.seed = arguments.seed;
  std::vector<int> players = arguments.players;
  if (players.empty()) players.push_back(rules.usual_players());
  for (const int number : players) {
    TableArguments table = arguments.table;
    table.players = number;
    what.games.push_back(rules.compile(table.configuration(), api::EngineKind::interpreter));
    fmt::print(stderr, "{}", what.games.back().report().text);
    if (what.games.size() == 1) fmt::print(stderr, "{}", api::look_of(what.games[0]).report.text);
  }
  const std::string page = report::as_page(what, bundle);
  api::write_whole(arguments.web, page);
  fmt::print("{}: {}, {} kB; open it in a browser, or upload it to any web server\n", arguments.web, rules.title(),
             (page.size() + 999) / 1000);
  return kFine;
}

}   // namespace

void add_export(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand(kExport.name, kExport.help);
  auto arguments = std::make_shared<ExportArguments>();
  arguments->table.add_game(*command);
  command->add_option("--web", arguments->web, "the page to write")->type_name("FILE.html")->required();
  command
      ->add_option("--players", arguments->players,
                   "number of players; several, as in `--players 3 4 5`, offer a choice (default: the usual number in "
                   "the rules)")
      ->type_name("N")
      ->check(CLI::Range(1, 16));
  command
      ->add_option("--with", arguments->table.with,
                   "a game option, as `name` or `name=value`, or a variant; can be repeated")
      ->type_name("OPTION[=VALUE]");
  command->add_option("--bots", arguments->bots, "seconds that bots think for each decision; the page can change it")
      ->type_name("SECONDS")
      ->check(CLI::Range(0.0, 60.0))
      ->capture_default_str();
  // JavaScript numbers are exact up to this number.
  constexpr std::uint64_t kMostOfScripts = (std::uint64_t{1} << 53) - 1;
  auto* seed =
      command->add_option("--seed", arguments->seed, "use the same deals in every game (default: random deals)");
  seed->type_name("N")->check(CLI::Range(std::uint64_t{0}, kMostOfScripts));
  command->footer(
      "The page contains the compiled game, its theme, bots and the table of `cardwright serve`, for one person "
      "against\nbots or several who share the device. Example: cardwright export hearts --web hearts.html");
  command->callback([&run, arguments, command, seed] {
    need_text(*command, "--web", arguments->web, "file");
    arguments->seeded = seed->count() > 0;
    run = [arguments] { return export_game(*arguments); };
  });
}

}   // namespace cardwright::cli
