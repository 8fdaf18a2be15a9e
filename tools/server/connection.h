// Somebody's connection to a table, as the table's TableHost knows it.
#pragma once

#include <memory>
#include <string>

#include "cardwright/table.hpp"

namespace cardwright::server {

class Connection {
 public:
  virtual ~Connection() = default;
  // In order, from any thread; never waits. Where too much waits to be sent, it closes itself.
  virtual void send(std::shared_ptr<const std::string> text) = 0;
  // After all that was sent: says `bye` with the reason and whether to come again, and closes.
  virtual void close(const std::string& because, bool again) = 0;
  // Asks whether all that was sent has arrived: `arrived` of the TableHost is called then.
  virtual void confirm() = 0;
  api::DeviceId device() const { return device_; }

 protected:
  explicit Connection(api::DeviceId device) : device_(device) {}

 private:
  const api::DeviceId device_;
};

}   // namespace cardwright::server
