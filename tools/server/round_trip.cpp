// Reads the round-trip time of a connection. This is a separate file, because the tcp_info structs of the kernel and
// the C library conflict, and only the kernel's struct contains this value.
#include "tools/server/round_trip.h"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cstddef>

namespace cardwright::server {

std::int64_t least_round_trip(int socket) {
  tcp_info info{};
  socklen_t size = sizeof info;
  if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return 0;
  if (size < offsetof(tcp_info, tcpi_min_rtt) + sizeof info.tcpi_min_rtt) return 0;   // older kernel
  return info.tcpi_min_rtt == ~0u ? 0 : info.tcpi_min_rtt;
}

}   // namespace cardwright::server
