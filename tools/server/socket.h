// A WebSocket: somebody who says hello and then sits at a table or watches it. Sees Beast, as HTTP session.cpp does,
// and nobody else.
#pragma once

#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>

#include "tools/server/server_context.h"

namespace cardwright::server {

inline constexpr const char* kProtocol = "cardwright.1";

using Request = boost::beast::http::request<boost::beast::http::empty_body>;

// Takes over a connection whose request was found fit. `place` is held until it ends.
void open_socket(ServerContext& server, boost::beast::tcp_stream stream, Request request, Place place);

}   // namespace cardwright::server
