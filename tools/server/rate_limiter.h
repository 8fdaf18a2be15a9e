// Limits the rates of messages and of the connections of each address.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "tools/server/limits.h"

namespace cardwright::server {

// A token bucket, refilled over time.
class Bucket {
 public:
  explicit Bucket(Rate rate) : rate_(rate), tokens_(rate.burst) {}
  // Takes a token; returns false if there is none.
  bool take(std::int64_t now) {
    if (last_ >= 0) tokens_ = std::min(rate_.burst, tokens_ + double(now - last_) / 1e6 * rate_.a_second);
    last_ = now;
    if (tokens_ < 1) return false;
    tokens_ -= 1;
    return true;
  }
  bool is_full(std::int64_t now) const { return tokens_ + double(now - last_) / 1e6 * rate_.a_second >= rate_.burst; }

 private:
  Rate rate_;
  double tokens_;
  std::int64_t last_ = -1;
};

// Returns the part of an address to which limits apply: for IPv6, the first 64 bits, because one household controls the
// rest.
std::string household(const std::string& address);

// Counts the connections of each address. Thread-safe.
class Addresses {
 public:
  explicit Addresses(const Limits& limits) : limits_(limits) {}
  // Adds a connection. Returns false and does not add it if the address has too many connections or opens them too
  // fast.
  bool enter(const std::string& address, std::int64_t now);
  void leave(const std::string& address);
  std::size_t known() const;

 private:
  struct One {
    std::size_t connections = 0;
    Bucket arrivals;
  };
  static constexpr std::size_t kSweep = 4096;   // number of addresses at which unused addresses are removed
  Limits limits_;
  mutable std::mutex mutex_;
  std::map<std::string, One> all_;
  std::size_t sweep_at_ = kSweep;
};

}   // namespace cardwright::server
