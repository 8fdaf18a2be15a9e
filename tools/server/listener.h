// Accepts connections on an address and port.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "tools/server/server_context.h"

namespace cardwright::server {

class Listener {
 public:
  // Throws Error(caller) if the address is invalid or does not belong to this machine, or if the port is not available.
  Listener(Loop& loop, const std::string& address, int port);
  ~Listener();
  std::uint16_t port() const;
  // Starts accepting connections for this server context.
  void start(ServerContext& server);
  void stop();

 private:
  struct Data;
  std::shared_ptr<Data> data_;
};

}   // namespace cardwright::server
