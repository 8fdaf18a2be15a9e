// What all connections share.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "serve/doors.h"
#include "serve/files.h"
#include "serve/limits.h"
#include "serve/loop.h"
#include "serve/rates.h"
#include "serve/rooms.h"

namespace cardwright::serve {

struct Desk {
  Loop& loop;   // of sockets: apart from that of tables, so that what arrives is stamped at once
  const Limits limits;
  const bool behind_proxy;
  Doors doors;
  Files& files;
  Rooms& rooms;
  Addresses addresses;
  std::atomic<api::DeviceId> next_device{1};
  std::atomic<std::size_t> sockets{0};   // that are open
};

// One of an address's connections, as long as it lives.
class Place {
 public:
  Place() = default;
  Place(Desk& desk, std::string address) : desk_(&desk), address_(std::move(address)) {}
  Place(Place&& other) noexcept : desk_(std::exchange(other.desk_, nullptr)), address_(std::move(other.address_)) {}
  Place& operator=(Place&& other) noexcept {
    std::swap(desk_, other.desk_);
    std::swap(address_, other.address_);
    return *this;
  }
  ~Place() {
    if (desk_) desk_->addresses.leave(address_);
  }

 private:
  Desk* desk_ = nullptr;
  std::string address_;
};

}  // namespace cardwright::serve
