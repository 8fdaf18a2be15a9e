// `cardwright list` prints the bundled games with their number of players and a one-line description.
#include <algorithm>

#include <fmt/format.h>

#include "cardwright/tools.hpp"
#include "tools/cli/arguments.h"
#include "tools/cli/terminal.h"

namespace cardwright::cli {

namespace {

std::string players_of(const api::Ruleset& rules) {
  const int least = rules.least_players(), most = rules.most_players();
  return least == most ? fmt::format("{}", least) : fmt::format("{}-{}", least, most);
}

int list_games() {
  struct Row {
    std::string name, players, about;
  };
  std::vector<Row> rows{{"game", "players", "description"}};
  for (const std::string& name : api::bundled_games()) {
    const api::Ruleset rules = api::Ruleset::load(name);
    rows.push_back({name, players_of(rules), rules.about().empty() ? rules.title() : rules.about()});
  }
  std::size_t name = 0, players = 0;
  for (const Row& row : rows) name = std::max(name, row.name.size()), players = std::max(players, row.players.size());
  const std::size_t indent = name + players + 4;
  for (const Row& row : rows) {
    const std::string line = fmt::format("{}  {}  ", padded(row.name, name), padded(row.players, players));
    fmt::print("{}\n", &row == rows.data()
                           ? coloured(Colour::dim, line + row.about)
                           : wrapped(line + row.about, static_cast<std::size_t>(terminal_width()), indent));
  }
  fmt::print("\n`cardwright play NAME` plays a game; `cardwright variants NAME` lists its options\n");
  return kFine;
}

}   // namespace

void add_list(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand("list", "list the bundled games");
  command->callback([&run] { run = list_games; });
}

}   // namespace cardwright::cli
