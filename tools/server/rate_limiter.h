// Who comes too often, or with too many.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "tools/server/limits.h"

namespace cardwright::server {

// A bucket of tokens that fills up with time.
class Bucket {
 public:
  explicit Bucket(Rate rate) : rate_(rate), tokens_(rate.burst) {}
  // Whether one may; then it is counted.
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

// What counts as one address: of IPv6 the first 64 bits, since one household has all that follow.
std::string household(const std::string& address);

// The connections of each address. From any thread.
class Addresses {
 public:
  explicit Addresses(const Limits& limits) : limits_(limits) {}
  // One more; false, and nothing is counted, if it has too many or comes too often.
  bool enter(const std::string& address, std::int64_t now);
  void leave(const std::string& address);
  std::size_t known() const;

 private:
  struct One {
    std::size_t connections = 0;
    Bucket arrivals;
  };
  static constexpr std::size_t kSweep = 4096;   // so many known: those that left long ago are forgotten
  Limits limits_;
  mutable std::mutex mutex_;
  std::map<std::string, One> all_;
  std::size_t sweep_at_ = kSweep;
};

}   // namespace cardwright::server
