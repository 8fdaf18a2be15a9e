// Handles the WebSocket connection of a client, which sends `hello` and then plays at a table or watches it. Only this
// module and http_session.cpp use Boost.Beast.
#pragma once

#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>

#include "tools/server/server_context.h"

namespace cardwright::server {

inline constexpr const char* kProtocol = "cardwright.1";

using Request = boost::beast::http::request<boost::beast::http::empty_body>;

// Upgrades a connection to a WebSocket; `request` must be a valid upgrade request. Holds `place` until the connection
// closes.
void open_socket(ServerContext& server, boost::beast::tcp_stream stream, Request request, Place place);

}   // namespace cardwright::server
