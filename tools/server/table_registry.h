// All tables of the server, and the way in: a key leads to its table.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "cardwright/server.hpp"
#include "tools/server/table_host.h"

namespace cardwright::server {

class TableRegistry {
 public:
  // Those that the store has; they are set up when somebody comes.
  explicit TableRegistry(House& house);

  TableLinks open(const TableWish& wish);   // Server::table
  std::vector<KeptTable> kept() const;
  // The TableHost that this key leads to, which hears of it; else null, and the connection is told why and closed.
  std::shared_ptr<TableHost> enter(std::shared_ptr<Connection> connection, const std::string& key, api::SeenSteps seen);
  void rules_changed(const std::string& game, const std::string& report);
  // Everybody is let go of without a word: when no thread does anything any more.
  void let_go();
  // `done` is called when all have ended.
  void stop(const std::string& because, std::function<void()> done);

 private:
  std::shared_ptr<TableHost> find(std::int64_t id) const;
  const TableRow* earlier(const TableWish& wish) const;
  TableRow begin(const TableWish& wish, const api::Game& game);
  TableLinks links(const TableRow& row, std::uint64_t host_seats);

  House& house_;
  mutable std::mutex mutex_;
  std::map<std::int64_t, TableRow> rows_;   // as they were when the server began, or the table
  std::map<std::int64_t, std::shared_ptr<TableHost>> registry_;
};

}   // namespace cardwright::server
