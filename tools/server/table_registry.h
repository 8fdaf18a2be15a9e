// Manages all tables of the server, and finds the table to which a key belongs.
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
  // Loads the tables in the store. Each table is set up when a client connects.
  explicit TableRegistry(House& house);

  TableLinks open(const TableWish& wish);   // implements Server::table
  std::vector<StoredTable> stored_tables() const;
  // Passes the connection to the TableHost of this key and returns it. If the key is unknown or the server does not
  // host its table, closes the connection with a message and returns null.
  std::shared_ptr<TableHost> enter(std::shared_ptr<Connection> connection, const std::string& key, api::SeenSteps seen);
  void rules_changed(const std::string& game, const std::string& report);
  // Drops all connections without a message; call it when no thread is running.
  void let_go();
  // `done` is called when all tables have stopped.
  void stop(const std::string& because, const std::function<void()>& done);

 private:
  std::shared_ptr<TableHost> find(std::int64_t id) const;
  const TableRow* earlier(const TableWish& wish) const;
  TableRow begin(const TableWish& wish, const api::Game& game);
  TableLinks links(const TableRow& row, std::uint64_t host_seats);

  House& house_;
  mutable std::mutex mutex_;
  std::map<std::int64_t, TableRow> rows_;   // not updated after the server starts or the table is created
  std::map<std::int64_t, std::shared_ptr<TableHost>> registry_;
};

}   // namespace cardwright::server
