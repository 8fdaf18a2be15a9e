// The network round-trip time to a client as measured by the kernel, which a page cannot delay.
#pragma once

#include <cstdint>

namespace cardwright::server {

// The minimum so far in microseconds; 0 if unknown. `socket` must be a TCP socket.
std::int64_t least_round_trip(int socket);

}   // namespace cardwright::server
