// Defines the server's monotonic clock in microseconds, shared by all threads.
#pragma once

#include <chrono>
#include <cstdint>

namespace cardwright::server {

inline std::int64_t now() {
  return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}   // namespace cardwright::server
