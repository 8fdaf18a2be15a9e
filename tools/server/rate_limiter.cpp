// Limits the connections of each address.
#include "tools/server/rate_limiter.h"

#include <arpa/inet.h>

namespace cardwright::server {

std::string household(const std::string& address) {
  in6_addr six{};
  if (inet_pton(AF_INET6, address.c_str(), &six) != 1) return address;
  if (IN6_IS_ADDR_V4MAPPED(&six)) {
    char four[INET_ADDRSTRLEN];
    return inet_ntop(AF_INET, six.s6_addr + 12, four, sizeof four);
  }
  std::fill(six.s6_addr + 8, six.s6_addr + 16, std::uint8_t{0});
  char text[INET6_ADDRSTRLEN];
  return inet_ntop(AF_INET6, &six, text, sizeof text);
}

bool Addresses::enter(const std::string& address, std::int64_t now) {
  const std::lock_guard lock(mutex_);
  if (all_.size() >= sweep_at_) {
    std::erase_if(all_,
                  [&](const auto& one) { return one.second.connections == 0 && one.second.arrivals.is_full(now); });
    sweep_at_ = std::max(kSweep, 2 * all_.size());
  }
  One& one = all_.try_emplace(household(address), One{0, Bucket(limits_.arrivals_of_address)}).first->second;
  if (one.connections >= limits_.connections_of_address || !one.arrivals.take(now)) return false;
  ++one.connections;
  return true;
}

void Addresses::leave(const std::string& address) {
  const std::lock_guard lock(mutex_);
  const auto one = all_.find(household(address));
  if (one != all_.end() && one->second.connections > 0) --one->second.connections;
}

std::size_t Addresses::known() const {
  const std::lock_guard lock(mutex_);
  return all_.size();
}

}   // namespace cardwright::server
