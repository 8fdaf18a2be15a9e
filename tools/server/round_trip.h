// Provides the network round-trip time to a client as measured by the kernel. A page cannot delay this measurement.
#pragma once

#include <cstdint>

namespace cardwright::server {

// Returns the minimum so far in microseconds; 0 if unknown. `socket` must be a TCP socket.
std::int64_t least_round_trip(int socket);

}   // namespace cardwright::server
