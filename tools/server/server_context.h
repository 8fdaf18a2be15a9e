// Defines the state that all connections share.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "tools/server/origin_check.h"
#include "tools/server/files.h"
#include "tools/server/limits.h"
#include "tools/server/loop.h"
#include "tools/server/rate_limiter.h"
#include "tools/server/table_registry.h"

namespace cardwright::server {

struct ServerContext {
  Loop& loop;   // runs sockets; separate from the tables, so that the arrival time of messages is exact
  const Limits limits;
  const bool behind_proxy;
  OriginCheck origin_check;
  Files& files;
  TableRegistry& registry;
  Addresses addresses;
  std::atomic<api::DeviceId> next_device{1};
  std::atomic<std::size_t> sockets{0};   // number of open sockets
};

// Counts one connection toward the limits of its address for as long as this object exists.
class Place {
 public:
  Place() = default;
  Place(ServerContext& server, std::string address) : server_(&server), address_(std::move(address)) {}
  Place(Place&& other) noexcept : server_(std::exchange(other.server_, nullptr)), address_(std::move(other.address_)) {}
  Place& operator=(Place&& other) noexcept {
    std::swap(server_, other.server_);
    std::swap(address_, other.address_);
    return *this;
  }
  ~Place() {
    if (server_) server_->addresses.leave(address_);
  }

 private:
  ServerContext* server_ = nullptr;
  std::string address_;
};

}   // namespace cardwright::server
