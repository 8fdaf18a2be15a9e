// A connection that was accepted: requests for files, one after another, until it becomes a WebSocket.
#pragma once

#include <boost/asio/ip/tcp.hpp>

#include <string>

#include "serve/desk.h"

namespace cardwright::serve {

// `address`: of whoever is at its other end.
void begin_visit(Desk& desk, boost::asio::ip::tcp::socket socket, std::string address, Place place);

}  // namespace cardwright::serve
