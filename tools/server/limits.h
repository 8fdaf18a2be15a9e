// The server's limits for clients; docs/howto/host_tables.md documents them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cardwright::server {

// A rate limit: an initial burst, then a rate per second.
struct Rate {
  double a_second = 1, burst = 1;
};

struct Limits {
  std::size_t frame_bytes = 4096;   // of a client message
  std::size_t header_bytes = 8192;   // of an HTTP request
  std::size_t outbox_bytes = std::size_t{256} << 10;   // queued for a connection; more closes it
  Rate messages{20, 40};   // per connection; excess messages are dropped
  int dropped = 40;   // and this many dropped messages close the connection
  int refused = 40;   // invalid messages that close the connection
  Rate why{4, 8}, at{10, 20};   // per connection
  std::size_t connections_of_address = 20;
  Rate arrivals_of_address{5, 20};   // new connections; a page opens several at once
  std::size_t devices_of_table = 64, watchers_of_table = 32;
  std::size_t tables = 1000;
  std::int64_t hello_within = 5'000'000;   // microseconds, as all times here
  std::int64_t request_within = 10'000'000;
  std::int64_t silent_for = 40'000'000;   // until a silent connection is closed; a ping is sent after half of it
};

}   // namespace cardwright::server
