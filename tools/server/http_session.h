// Handles an accepted connection: HTTP requests for files, until it is upgraded to a WebSocket.
#pragma once

#include <boost/asio/ip/tcp.hpp>

#include <string>

#include "tools/server/server_context.h"

namespace cardwright::server {

// Starts to serve a connection. `address` is the client's address.
void begin_session(ServerContext& server, boost::asio::ip::tcp::socket socket, std::string address, Place place);

}   // namespace cardwright::server
