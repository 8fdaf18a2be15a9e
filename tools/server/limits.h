// Defines the server's limits for clients, which docs/howto/host_tables.md documents.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cardwright::server {

// A rate limit: an initial burst, then a rate per second.
struct Rate {
  double a_second = 1, burst = 1;
};

struct Limits {
  std::size_t frame_bytes = 4096;   // maximum size of a client message
  std::size_t header_bytes = 8192;   // maximum size of the header of an HTTP request
  std::size_t outbox_bytes = std::size_t{256} << 10;   // size of a send queue at which its connection is closed
  Rate messages{20, 40};   // per connection; excess messages are dropped
  int dropped = 40;   // number of dropped messages after which the connection is closed
  int refused = 40;   // number of invalid messages after which the connection is closed
  Rate why{4, 8}, at{10, 20};   // for the messages `why` and `at`, per connection
  std::size_t connections_of_address = 64;   // a default; ServerSettings::connections_of_address sets it
  Rate arrivals_of_address{5, 64};   // new connections; a page opens several at once
  std::size_t devices_of_table = 64, watchers_of_table = 32;
  std::size_t tables = 1000;
  std::int64_t hello_within = 5'000'000;   // in microseconds, like all times in this struct
  std::int64_t request_within = 10'000'000;
  std::int64_t silent_for = 10'000'000;   // a silent connection is closed after this time, and pinged after half of it
};

}   // namespace cardwright::server
