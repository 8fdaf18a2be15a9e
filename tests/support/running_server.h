// Runs a server in a temporary folder with empty pages, for tests that use sockets.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "cardwright/server.hpp"
#include "tools/server/client/client.h"
#include "tests/support/files.h"

namespace cardwright::test {

class RunningServer {
 public:
  explicit RunningServer(bool limited = true, bool behind_proxy = false)
      : limited_(limited), behind_proxy_(behind_proxy) {
    for (const char* name : {"table.html", "table.js", "table.css"})
      folder_.write(name, std::string("/* ") + name + " */");
    begin();
  }
  server::TableLinks table(const std::string& game, std::vector<api::SeatHolder> seats = {},
                           std::uint64_t host_seats = 0, api::TableSettings settings = {}) {
    server::TableWish wish{game, {static_cast<int>(seats.size())}, std::move(settings)};
    wish.settings.seats = std::move(seats);
    wish.seed = 7;
    wish.settings.bot_seconds = 0.02;
    wish.host_seats = host_seats;
    return server_->table(wish);
  }
  void start() { server_->start(); }
  // Replaces the server with a new one in the same folder, which may use another port.
  void again() {
    server_.reset();
    begin();
  }
  void stop() { server_->stop("enough"); }
  server::Server& server() { return *server_; }
  int port() const { return server_->port(); }
  const TemporaryFolder& folder() const { return folder_; }
  std::vector<std::string> messages() {
    const std::lock_guard lock(mutex_);
    return output_;
  }

 private:
  void begin() {
    server::ServerSettings settings;
    settings.port = 0;
    settings.folder = folder_.path() + "/data";
    settings.pages = folder_.path();
    settings.limited = limited_;
    settings.behind_proxy = behind_proxy_;
    settings.say = [this](const std::string& line) {
      const std::lock_guard lock(mutex_);
      output_.push_back(line);
    };
    server_.emplace(std::move(settings));
  }

  const bool limited_, behind_proxy_;
  const TemporaryFolder folder_;
  std::mutex mutex_;
  std::vector<std::string> output_;
  std::optional<server::Server> server_;
};

}   // namespace cardwright::test
