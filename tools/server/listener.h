// Takes connections at an address and a port.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "tools/server/server_context.h"

namespace cardwright::server {

class Listener {
 public:
  // Throws Error(caller) where the address is none of this machine's, or the port can't be had.
  Listener(Loop& loop, const std::string& address, int port);
  ~Listener();
  std::uint16_t port() const;
  // From now on people are let in, to that server context.
  void start(ServerContext& server);
  void stop();

 private:
  struct Data;
  std::shared_ptr<Data> data_;
};

}   // namespace cardwright::server
