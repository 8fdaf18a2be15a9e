// Stores the tables (their games, keys and all choices) in an SQLite database in WAL mode. A change is reported as
// stored only after an fsync. A single thread writes; changes that arrive within 2 ms form one group with one fsync.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cardwright/table.hpp"
#include "tools/server/keys.h"

namespace cardwright::server {

struct TableRow {
  std::int64_t id = 0;
  std::string game;   // an argument of Ruleset::load: the name of a bundled game, or an absolute path
  std::string title;
  api::Configuration configuration;   // requested players and options
  api::TableSettings settings;   // without `seats`, `build` and `random`
  struct Seat {
    api::SeatHolder holder = api::SeatHolder::open;
    std::string name;
    bool operator==(const Seat&) const = default;
  };
  std::vector<Seat> seats;
  std::uint64_t fingerprint = 0;   // fingerprint of the game when the journal was last written
  std::int64_t begun = 0;   // seconds since 1970
  bool over = false, closed = false;
};

// Changes of one table, which are stored completely or not at all.
struct Changes {
  std::int64_t table = 0;
  std::size_t first = 0;   // journal index of the first entry in `entries`
  bool replaces_journal = false;   // `entries` replaces the stored journal
  std::vector<api::TableEntry> entries;
  std::optional<TableRow> row;
  std::vector<Key> keys;
  // Called on the writer's thread when the changes are stored. If nothing was stored, `wrong` is the reason; otherwise
  // it is empty.
  std::function<void(const std::string& wrong)> done;
};

class Store {
 public:
  // Creates the folder and the file if necessary; only this user can read them. Throws Error(caller) if another server
  // uses the file, and Error(internal) on I/O errors or if a newer version of Cardwright wrote the file.
  explicit Store(const std::string& folder);
  ~Store();   // writes all pending changes
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  static std::string standard_folder();   // ~/.local/state/cardwright, or a folder in XDG_STATE_HOME
  const std::string& path() const;   // path of the database file

  std::vector<TableRow> tables() const;   // open tables, sorted by id
  std::vector<Key> keys() const;   // keys of the open tables
  std::vector<api::TableEntry> journal(std::int64_t table) const;
  std::int64_t fresh_id();
  void keep(Changes changes);
  // Stores the changes and waits until they are on disk. Throws Error(internal) on failure.
  void keep_now(Changes changes);
  std::uint64_t groups() const;   // number of groups written so far

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}   // namespace cardwright::server
