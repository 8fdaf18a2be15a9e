// Provides the server for games in the browser (`cardwright serve`). People open links, and the page communicates with
// the server as docs/reference/protocol.md describes. Every answer is written to disk before it is announced.
//
//   server::Server server({.port = 7654});
//   server::TableLinks table = server.table({.game = "splash", .configuration = {.players = 5}});
//   server.start();
//   show(table.host);                 // http://127.0.0.1:7654/#k=…
//   wait_for_ctrl_c();
//   server.stop("the server ends");
//
// Errors are thrown as api::Error: caller (address or port not available, another server uses the same folder), or
// internal.
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
  std::string address = "127.0.0.1";   // address to listen on; use 0.0.0.0 or :: to accept other machines
  int port = 7654;   // 0: any free port
  std::vector<std::string> origins;   // additional allowed origins of pages: "https://games.example"
  bool behind_proxy = false;   // the server reads client addresses from X-Forwarded-For
  std::string folder;   // where tables are stored; empty: ~/.local/state/cardwright
  std::string pages;   // folder with table.html, table.js and table.css; empty: the folder of this build
  int threads = 0;   // number of threads for tables; 0: one per core
  int bot_threads = 0;   // 0: one less than the number of cores, at least one
  bool limited = true;   // false: no rate limits and quotas; for measurements only
  // Called from any thread with messages for the person who runs the server, one line per call.
  std::function<void(const std::string& line)> say;
};

// Settings for a table to open.
struct TableWish {
  std::string game;   // argument of Ruleset::load
  api::Configuration configuration;
  api::TableSettings settings;   // the server sets `build` and `random`, and ignores `seed`
  std::optional<std::uint64_t> seed;   // seed of the game's chance; none: random
  std::vector<std::string> names;   // names of expected people, by seat
  std::uint64_t host_seats = 0;   // mask of the seats that the host's link grants
  bool fresh = false;   // opens a new table even if an earlier one matches
};

struct TableLinks {
  std::int64_t id = 0;
  std::string game, title;
  int players = 0;
  bool came_back = false;   // the table was restored from an earlier run
  std::int64_t begun = 0;   // start time in seconds since 1970
  std::string host;   // link that grants the host's rights
  std::vector<std::pair<int, std::string>> seats;   // seats with invitation links, each for one device
  std::string watch;   // link for spectators
};

// A table of an earlier run.
struct StoredTable {
  std::int64_t id = 0;
  std::string game, title;
  int players = 0;
  std::int64_t begun = 0;
  bool over = false;
  bool open = false;   // the table can be resumed, because this run of the server offers its game
};

class Server {
 public:
  // Opens the folder and the port, but does not accept connections yet.
  explicit Server(ServerSettings settings);
  ~Server();   // stops the server
  Server(Server&&) noexcept;

  // Resumes an unfinished earlier table if it matches the request: the game, players and options, the seed if one is
  // requested, and all requested settings that differ from their defaults. Otherwise opens a new table. The names of
  // people and the order of options are not compared. Must be called before start(). All other tables of that game are
  // restored too, so that everyone with a link or a seat can continue. The returned links are new; old links remain
  // valid. Throws Error: caller (unknown game, more than 1,000 tables), author (errors in the rules), internal.
  TableLinks table(const TableWish& wish);
  std::vector<StoredTable> stored_tables() const;   // all tables of earlier runs that are not closed
  void start();
  // Sends `bye` to all devices, which then try to reconnect. No stored answer is lost. Waits at most two seconds.
  void stop(const std::string& because);
  int port() const;
  const std::string& link() const;   // prefix of all links: "http://127.0.0.1:7654"
  const std::string& database() const;   // path of the database

  struct Data;   // defined in tools/server/server.cpp

 private:
  std::unique_ptr<Data> data_;
};

}   // namespace cardwright::server
