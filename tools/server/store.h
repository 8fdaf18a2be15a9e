// The database of tables: what each is of, who may come, and every choice. Whatever is told of as kept is on the disk:
// SQLite in WAL mode, with an fsync for each group of changes. One thread writes; what comes within 2 ms is one group.
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
  std::string game;   // what Ruleset::load takes: the name of a bundled game, or an absolute path
  std::string title;
  api::Configuration configuration;   // players and options as asked for
  api::TableSettings settings;   // without `seats`, `build` and `random`
  struct Seat {
    api::SeatHolder holder = api::SeatHolder::open;
    std::string name;
    bool operator==(const Seat&) const = default;
  };
  std::vector<Seat> seats;
  std::uint64_t fingerprint = 0;   // of the game when the journal was last written
  std::int64_t begun = 0;   // seconds since 1970
  bool over = false, closed = false;
};

// What is to be kept of a table, all or nothing.
struct Changes {
  std::int64_t table = 0;
  std::size_t first = 0;   // number of the first of these entries: so many are kept already
  bool anew = false;   // the journal is these entries, whatever it was
  std::vector<api::TableEntry> entries;
  std::optional<TableRow> row;
  std::vector<Key> keys;
  // Called on the writer's thread; with the reason where nothing of it was kept.
  std::function<void(const std::string& wrong)> done;
};

class Store {
 public:
  // Makes folder and file where they are not there, for this user alone. Throws Error: caller (another server has it),
  // us (it can't be read or written, or a newer Cardwright made it).
  explicit Store(const std::string& folder);
  ~Store();   // writes what has come so far
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  static std::string standard_folder();   // ~/.local/state/cardwright, or below XDG_STATE_HOME
  const std::string& path() const;   // of the file

  std::vector<TableRow> tables() const;   // that are not closed, by id
  std::vector<Key> keys() const;   // of those
  std::vector<api::TableEntry> journal(std::int64_t table) const;
  std::int64_t fresh_id();
  void keep(Changes changes);
  // The same, and waits. Throws Error(us) where it can't be kept.
  void keep_now(Changes changes);
  std::uint64_t groups() const;   // written so far

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}   // namespace cardwright::server
