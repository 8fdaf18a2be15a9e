// Defines the interface of a client's connection, as TableHost uses it.
#pragma once

#include <memory>
#include <string>

#include "cardwright/table.hpp"

namespace cardwright::server {

class Connection {
 public:
  virtual ~Connection() = default;
  // Sends messages in order; callable from any thread, never blocks. Closes the connection if its send queue overflows.
  virtual void send(std::shared_ptr<const std::string> text) = 0;
  // Sends `bye` after all earlier messages, with the reason and whether the client should reconnect, and closes the
  // connection.
  virtual void close(const std::string& because, bool again) = 0;
  // Requests a confirmation that all earlier messages were delivered. The confirmation calls TableHost::arrived.
  virtual void confirm() = 0;
  api::DeviceId device() const { return device_; }

 protected:
  explicit Connection(api::DeviceId device) : device_(device) {}

 private:
  const api::DeviceId device_;
};

}   // namespace cardwright::server
