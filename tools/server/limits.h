// How much of everything the server takes from anybody: docs/howto/host_tables.md lists it for people.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cardwright::server {

// So many at once, and then so many a second.
struct Rate {
  double a_second = 1, burst = 1;
};

struct Limits {
  std::size_t frame_bytes = 4096;   // of one message of a client
  std::size_t header_bytes = 8192;   // of a request
  std::size_t outbox_bytes = std::size_t{256} << 10;   // that wait for a connection; more closes it
  Rate messages{20, 40};   // of a connection; what is more is not read,
  int dropped = 40;   // and after so many that were not the connection is closed
  int refused = 40;   // likewise of messages that make no sense
  Rate why{4, 8}, at{10, 20};   // of a connection
  std::size_t connections_of_address = 20;
  Rate arrivals_of_address{5, 20};   // new connections; a page opens some at once
  std::size_t devices_of_table = 64, watchers_of_table = 32;
  std::size_t tables = 1000;
  std::int64_t hello_within = 5'000'000;   // microseconds, as all times here
  std::int64_t request_within = 10'000'000;
  std::int64_t silent_for = 40'000'000;   // then a connection is closed; half of it, and it is sent a ping
};

}   // namespace cardwright::server
