// A connection that was accepted: requests for files, one after another, until it becomes a WebSocket.
#pragma once

#include <boost/asio/ip/tcp.hpp>

#include <string>

#include "tools/server/server_context.h"

namespace cardwright::server {

// `address`: of whoever is at its other end.
void begin_session(ServerContext& server, boost::asio::ip::tcp::socket socket, std::string address, Place place);

}   // namespace cardwright::server
