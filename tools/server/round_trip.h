// How long the way to somebody and back takes, as the kernel has measured it: a page can't delay that.
#pragma once

#include <cstdint>

namespace cardwright::server {

// Microseconds, the least so far; 0 where it isn't known yet. `socket`: of TCP.
std::int64_t least_round_trip(int socket);

}   // namespace cardwright::server
