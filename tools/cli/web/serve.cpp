// `cardwright serve` hosts tables in the browser until Ctrl-C.
#include <algorithm>
#include <cctype>
#include <charconv>
#include <chrono>
#include <ctime>
#include <map>
#include <thread>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "cardwright/theme.hpp"
#include "cardwright/server.hpp"
#include "cardwright/tools.hpp"
#include "tools/cli/terminal.h"
#include "tools/cli/web/commands.h"

namespace cardwright::cli {

namespace {

struct ServeArguments {
  TableArguments table;   // players and options of each table
  std::vector<std::string> games;
  server::ServerSettings server;
  std::uint64_t port = 7654, seed = 0, time_factor = 1, connections = 64;
  bool seeded = false;
  std::string seats, bots, clock, fairness = "on";
  bool start = false, design = false, no_undo = false, closed_at_end = false, fresh = false;
};

[[noreturn]] void wrong(const std::string& message) { throw api::Error(api::Blame::caller, message); }

// Parses "0.2s", "200ms" or "30"; returns seconds.
double seconds_of(const std::string& text, const std::string& option) {
  double number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  const double seconds = unit == "ms" ? number / 1000 : number;
  if (failed != std::errc{} || (unit != "" && unit != "s" && unit != "ms") || !(seconds >= 0 && seconds <= 86'400))
    wrong(fmt::format("invalid time `{} {}`: expected 0 to one day, such as 0.2s, 200ms or 30s", option, text));
  return seconds;
}

std::vector<std::string> words_in(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" ,", begin), text.size());
    if (end > begin) words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

// Parses "a=me b=bot c=open d=Anna". Seats that are not named are open.
void read_seats(const std::string& text, int players, server::TableWish& wish) {
  wish.settings.seats.resize(static_cast<std::size_t>(players), api::SeatHolder::open);
  wish.names.resize(static_cast<std::size_t>(players));
  std::uint64_t assigned = 0;
  for (const std::string& word : words_in(text)) {
    const std::size_t equals = word.find('=');
    const int seat = word.empty() ? -1 : std::tolower(static_cast<unsigned char>(word[0])) - 'a';
    if (equals != 1 || equals + 1 == word.size() || seat < 0 || seat >= players)
      wrong(fmt::format("invalid `--seats {}`: expected entries such as a=me, b=bot, c=open or d=Anna, for {}", word,
                        plural(static_cast<std::size_t>(players), "player")));
    if (assigned >> seat & 1) wrong(fmt::format("`--seats` sets seat {} twice", api::Game::seat_name(seat)));
    assigned |= std::uint64_t{1} << seat;
    const std::string who = word.substr(2);
    api::SeatHolder& holder = wish.settings.seats[static_cast<std::size_t>(seat)];
    holder = who == "bot" ? api::SeatHolder::bot : who == "open" ? api::SeatHolder::open : api::SeatHolder::person;
    if (who == "me")
      wish.host_seats |= std::uint64_t{1} << seat;
    else if (holder == api::SeatHolder::person)
      wish.names[static_cast<std::size_t>(seat)] = who;
  }
}

server::TableWish wish_for(const ServeArguments& arguments, const std::string& name) {
  TableArguments table = arguments.table;
  table.game = name;
  const api::Ruleset rules = table.load();
  const api::Game game = rules.compile(table.configuration(), api::EngineKind::interpreter);
  if (!table.with.empty()) fmt::print(stderr, "{}", game.report().text);
  fmt::print(stderr, "{}", api::look_of(game).report.text);
  server::TableWish wish{name, table.configuration()};
  if (arguments.seeded) wish.seed = arguments.seed;
  wish.settings.time_factor = static_cast<int>(arguments.time_factor);
  wish.settings.started = arguments.start;
  wish.settings.design = arguments.design;
  wish.settings.undo = !arguments.no_undo;
  wish.settings.open_at_end = !arguments.closed_at_end;
  wish.settings.fair = arguments.fairness == "on";
  if (!arguments.bots.empty()) wish.settings.bot_seconds = seconds_of(arguments.bots, "--bots");
  if (wish.settings.bot_seconds > 1)
    wrong(fmt::format("`--bots {}` is out of range: the maximum is 1s", arguments.bots));
  if (!arguments.clock.empty()) wish.settings.seconds = seconds_of(arguments.clock, "--clock");
  wish.fresh = arguments.fresh;
  std::string seats = arguments.seats;
  if (arguments.seats.empty())
    for (int seat = 0; seat < (arguments.design ? game.players() : 1); ++seat)
      seats += fmt::format(" {}=me", api::Game::seat_name(seat));
  read_seats(seats, game.players(), wish);
  return wish;
}

std::string day(std::int64_t seconds) {
  const std::time_t time = seconds;
  std::tm local{};
  localtime_r(&time, &local);
  return fmt::format("{:%Y-%m-%d %H:%M}", local);
}

// Prints the links of a table. `seats_given` is true if --seats was given, which a resumed table ignores.
void show(const server::TableLinks& table, bool seats_given) {
  const char* const other = seats_given ? "--seats is ignored unless you use --new" : "--new starts another table";
  fmt::print("{}, {} (table {}{})\n", coloured(Colour::bold, table.title),
             plural(static_cast<std::size_t>(table.players), "player"), table.id,
             table.came_back ? fmt::format(", resumed, started {}; {}", day(table.begun), other) : "");
  fmt::print("  host   {}\n", table.host);
  for (const auto& [seat, link] : table.seats) fmt::print("  {}      {}\n", api::Game::seat_name(seat), link);
  fmt::print("  watch  {}\n", table.watch);
}

// Lists the tables of earlier runs that are not in `shown`, so that the user does not forget them.
void show_others(const std::vector<server::StoredTable>& stored, const std::vector<server::TableLinks>& shown) {
  std::vector<std::string> back;
  std::map<std::string, std::size_t> elsewhere;
  for (const server::StoredTable& table : stored) {
    const auto is_it = [&](const server::TableLinks& one) { return one.id == table.id; };
    if (std::any_of(shown.begin(), shown.end(), is_it)) continue;
    if (table.open)
      back.push_back(
          fmt::format("table {} of {}, {}{}", table.id, table.title, day(table.begun), table.over ? ", over" : ""));
    else
      ++elsewhere[table.game];
  }
  constexpr std::size_t kMost = 8;
  if (!back.empty()) {
    fmt::print("Also resumed, at their previous links:\n");
    for (std::size_t i = 0; i < std::min(kMost, back.size()); ++i) fmt::print("  {}\n", back[i]);
    if (back.size() > kMost) fmt::print("  and {} more\n", back.size() - kMost);
  }
  for (const auto& [game, count] : elsewhere)
    fmt::print("{} of {}: `cardwright serve {}` resumes {}\n", plural(count, "table"), game, game,
               count == 1 ? "it" : "them");
}

bool is_loopback(const std::string& address) { return address.starts_with("127.") || address == "::1"; }

void warn(const ServeArguments& arguments) {
  if (is_loopback(arguments.server.address)) return;
  if (arguments.server.behind_proxy)
    fmt::print(stderr,
               "cardwright: anyone who reaches {} without the proxy can forge client addresses; use --listen 127.0.0.1 "
               "if the proxy runs on this machine\n",
               arguments.server.address);
  else
    fmt::print(stderr,
               "cardwright: everyone in this network can reach the tables, and connections are not encrypted; "
               "docs/howto/host_tables.md explains how to add a proxy\n");
}

int serve_tables(const ServeArguments& arguments) {
  if (arguments.server.behind_proxy && arguments.server.origins.empty())
    wrong(
        "`--behind-proxy` needs `--origin URL`, the public address of the proxy, such as "
        "https://games.example");
  std::vector<server::TableWish> wishes;
  for (const std::string& game : arguments.games) wishes.push_back(wish_for(arguments, game));
  if (api::pages_folder().empty())
    throw api::Error(api::Blame::internal,
                     "this build has no web pages: run `./cardwright serve` in a checkout, or `cmake --build BUILD "
                     "--target pages` (both need Node and npm)");
  server::ServerSettings settings = arguments.server;
  settings.port = static_cast<int>(arguments.port);
  settings.connections_of_address = static_cast<int>(arguments.connections);
  settings.say = [](const std::string& line) { fmt::print(stderr, "cardwright: {}\n", api::printable(line)); };
  catch_signals();
  server::Server server(settings);
  std::vector<server::TableLinks> tables;
  for (const server::TableWish& wish : wishes) tables.push_back(server.table(wish));
  warn(arguments);
  for (const server::TableLinks& table : tables) show(table, !arguments.seats.empty());
  show_others(server.stored_tables(), tables);
  fmt::print("Data: {}. Ctrl-C stops the server; tables resume when it restarts.\n", server.database());
  std::fflush(stdout);
  server.start();
  while (!interrupted()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  server.stop("the server is stopping; the table resumes when it restarts");
  return kFine;
}

void add_table_options(CLI::App& command, ServeArguments& arguments) {
  command
      .add_option(
          "--seats", arguments.seats,
          "who plays each seat, such as \"a=me b=bot c=open d=Anna\": the host, a bot, anyone (until someone takes the "
          "seat, a bot plays), or a named person for whom the game waits (default: a=me, all others open; with "
          "--design, "
          "all seats belong to the host)")
      ->type_name("SEATS");
  command.add_option("--bots", arguments.bots, "time that bots think for each decision, at most 1s (default: 0.2s)")
      ->type_name("TIME");
  command.add_option("--clock", arguments.clock, "time limit for each decision, such as 60s (default: no limit)")
      ->type_name("TIME");
  command.add_flag("--start", arguments.start, "start the game at once instead of when the host starts it");
  command.add_flag("--design", arguments.design,
                   "a table for game designers: the host has all seats, sees everything and can return to any choice");
  command.add_flag("--no-undo", arguments.no_undo, "disable undo");
  command.add_flag("--closed-at-end", arguments.closed_at_end, "do not reveal all cards when the game is over");
  add_number(command, "--seed", arguments.seed, "seed of the game", "random");
  add_number(command, "--time-factor", arguments.time_factor, "factor by which races are slower, from 1 to 1000")
      ->check(CLI::Range(1, 1000));
  command
      .add_option(
          "--fairness", arguments.fairness,
          "on: in races, all players have the delay of the slowest connection, up to 100 ms; off: no equalization")
      ->check(CLI::IsMember({"on", "off"}))
      ->capture_default_str();
  command.add_flag("--new", arguments.fresh, "start a new table instead of resuming an earlier one");
}

void add_server_options(CLI::App& command, ServeArguments& arguments) {
  command
      .add_option("--listen", arguments.server.address,
                  "the address to listen on; 0.0.0.0 for access from this network")
      ->type_name("ADDRESS")
      ->capture_default_str();
  add_number(command, "--port", arguments.port, "the port to listen on; 0: any free port")->check(CLI::Range(0, 65535));
  command
      .add_option("--origin", arguments.server.origins,
                  "a public address of this server, such as https://games.example; can be repeated")
      ->type_name("URL")
      ->take_all()
      ->expected(1);
  command.add_flag("--behind-proxy", arguments.server.behind_proxy,
                   "take client addresses from the proxy's X-Forwarded-For header");
  add_number(command, "--connections", arguments.connections,
             "maximum number of connections from one address, such as a classroom's")
      ->check(CLI::Range(1, 100'000));
  command
      .add_option("--data", arguments.server.folder, "folder for stored tables (default: ~/.local/state/cardwright)")
      ->type_name("DIR");
}

}   // namespace

void add_serve(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand(kServe.name, kServe.help);
  auto arguments = std::make_shared<ServeArguments>();
  command->add_option("GAME", arguments->games, ".rules files or names of bundled games; each gets a table")
      ->required();
  arguments->table.add_table(*command);
  add_table_options(*command, *arguments);
  add_server_options(*command, *arguments);
  command->footer(
      "An unfinished table with the same game, players and options is resumed, so Ctrl-C or a crash loses nothing.\n"
      "docs/howto/host_tables.md describes remote players, proxies, stored data and secrets.");
  command->callback([&run, arguments, command] {
    need_text(*command, "--seats", arguments->seats, "seat");
    need_text(*command, "--data", arguments->server.folder, "folder");
    arguments->seeded = command->count("--seed") > 0;
    run = [arguments] { return serve_tables(*arguments); };
  });
}

}   // namespace cardwright::cli
