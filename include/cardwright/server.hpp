// The server of tables in the browser: `cardwright serve`. People open links; the page that they get talks to the
// server as docs/reference/protocol.md says. What was answered is on the disk before anybody is told.
//
//   server::Server server({.port = 7654});
//   server::Table table = server.table({.game = "splash", .configuration = {.players = 5}});
//   server.start();
//   show(table.host);                 // http://127.0.0.1:7654/#k=…
//   wait_for_ctrl_c();
//   server.stop("the server ends");
//
// Errors are thrown as api::Error: by the caller (an address or port that can't be had, another server on the same
// folder), or by us.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cardwright/cardwright.hpp"
#include "cardwright/table.hpp"

namespace cardwright::server {

struct ServerSettings {
  std::string address = "127.0.0.1";   // to listen at; others in the same network need 0.0.0.0 or ::
  int port = 7654;   // 0: any that is free
  std::vector<std::string> origins;   // under which pages are known besides: "https://games.example"
  bool behind_proxy = false;   // addresses come from X-Forwarded-For
  std::string folder;   // where tables are kept; empty: ~/.local/state/cardwright
  std::string pages;   // folder with table.html, table.js and table.css; empty: those of this build
  int threads = 0;   // for tables; 0: one per core
  int bot_threads = 0;   // 0: one less than there are cores, at least one
  bool limited = true;   // false: no limits of how often and how many, for measurements
  // Told what whoever runs the server should know, a line each; from any thread.
  std::function<void(const std::string& line)> say;
};

// A table that there is to be.
struct TableWish {
  std::string game;   // what Ruleset::load takes
  api::Configuration configuration;
  api::TableSettings settings;   // `build` and `random` are the server's, and its `seed` is not read
  std::optional<std::uint64_t> seed;   // of the game's chance; none: a fresh one
  std::vector<std::string> names;   // by seat, of people who are expected
  std::uint64_t host_seats = 0;   // mask of seats that the host's link gives
  bool fresh = false;   // even if one of before would do
};

struct TableLinks {
  std::int64_t id = 0;
  std::string game, title;
  int players = 0;
  bool came_back = false;   // it was begun before
  std::int64_t begun = 0;   // seconds since 1970
  std::string host;   // whoever has it is the host
  std::vector<std::pair<int, std::string>> seats;   // invitations, each for one device
  std::string watch;   // for whoever may look on
};

// A table of an earlier run.
struct KeptTable {
  std::int64_t id = 0;
  std::string game, title;
  int players = 0;
  std::int64_t begun = 0;
  bool over = false;
  bool open = false;   // it can be come back to: its game is one of those of this run
};

class Server {
 public:
  // Opens the folder and the port; nobody is let in yet.
  explicit Server(ServerSettings settings);
  ~Server();   // stops
  Server(Server&&) noexcept;

  // The table of an earlier run of the same game, players and options that is not over and was begun with these seed
  // and settings, as far as they are given and not at their standard (who sits there does not matter, nor in which
  // order options come); else a new one. To be called before start(). All other tables of that game come back as well:
  // whoever has a link or sat there goes on. The links are new ones; old ones stay. Throws Error: caller (no such game,
  // more than 1,000 tables), author (wrong rules), us.
  TableLinks table(const TableWish& wish);
  std::vector<KeptTable> kept() const;   // of earlier runs, all that are not closed
  void start();
  // Everybody is told `bye`, and to come again; what was answered is kept. Waits for it, two seconds at most.
  void stop(const std::string& because);
  int port() const;
  const std::string& link() const;   // what links begin with: "http://127.0.0.1:7654"
  const std::string& database() const;   // its path

  struct Data;   // tools/server/server.cpp

 private:
  std::unique_ptr<Data> data_;
};

}   // namespace cardwright::server
