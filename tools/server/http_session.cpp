// Answers HTTP requests, and upgrades valid requests to WebSockets.
#include "tools/server/http_session.h"

#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <boost/beast/websocket/rfc6455.hpp>

#include <chrono>
#include <optional>

#include <fmt/format.h>

#include "tools/server/clock.h"
#include "tools/server/socket.h"

namespace cardwright::server {

namespace beast = boost::beast;
namespace http = beast::http;
using boost::system::error_code;
using Response = http::response<http::string_body>;

namespace {

std::string_view std_view(beast::string_view text) { return {text.data(), text.size()}; }

bool lists(beast::string_view header, beast::string_view word) {
  for (const auto& one : http::token_list(header))
    if (beast::iequals(one, word)) return true;
  return false;
}

// Returns the last address in X-Forwarded-For, which the server's own proxy added. Earlier addresses can be forged.
std::string forwarded_for(const Request& request, const std::string& otherwise) {
  std::string_view all = std_view(request["X-Forwarded-For"]);
  if (const auto comma = all.rfind(','); comma != std::string_view::npos) all.remove_prefix(comma + 1);
  while (!all.empty() && all.front() == ' ') all.remove_prefix(1);
  while (!all.empty() && all.back() == ' ') all.remove_suffix(1);
  return all.empty() || all.size() > 64 ? otherwise : std::string(all);
}

}   // namespace

class HttpSession : public std::enable_shared_from_this<HttpSession> {
 public:
  HttpSession(ServerContext& server, boost::asio::ip::tcp::socket socket, std::string address, Place place)
      : server_(server), stream_(std::move(socket)), address_(std::move(address)), place_(std::move(place)) {}

  void read();

 private:
  void on_read(const error_code& wrong);
  void handle(Request request);
  std::optional<Response> refuses_socket(const Request& request) const;
  Response file(const Request& request) const;
  Response plain(http::status status, std::string text) const;
  void add_policies(Response& response, beast::string_view host) const;
  void answer(const Request& request, Response response);
  void close();

  ServerContext& server_;
  beast::tcp_stream stream_;
  std::string address_;
  Place place_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::empty_body>> parser_;
};

void HttpSession::read() {
  parser_.emplace();
  parser_->header_limit(static_cast<std::uint32_t>(server_.limits.header_bytes));
  parser_->body_limit(0);
  stream_.expires_after(std::chrono::microseconds(server_.limits.request_within));
  http::async_read(stream_, buffer_, *parser_,
                   [self = shared_from_this()](const error_code& wrong, std::size_t) { self->on_read(wrong); });
}

void HttpSession::on_read(const error_code& wrong) {
  if (!wrong) return handle(parser_->release());
  if (wrong.category() != http::make_error_code(http::error::bad_method).category() ||
      wrong == http::error::end_of_stream)
    return close();
  Request request;
  request.keep_alive(false);
  answer(request, plain(http::status::bad_request, "invalid request"));
}

void HttpSession::handle(Request request) {
  const bool upgrades =
      lists(request[http::field::connection], "upgrade") && beast::iequals(request[http::field::upgrade], "websocket");
  const auto refuse = [&](http::status status, std::string why) { answer(request, plain(status, std::move(why))); };
  if (request.method() != http::verb::get && request.method() != http::verb::head)
    return refuse(http::status::method_not_allowed, "only GET and HEAD are supported");
  if (!server_.origin_check.knows_host(std_view(request[http::field::host])))
    return refuse(http::status::misdirected_request,
                  "unknown host name; the operator of the server can add it with --origin URL or --listen ADDRESS");
  if (!upgrades) return answer(request, file(request));
  Place place = std::move(place_);
  if (server_.behind_proxy) {   // limits apply to the client's address; the proxy's connections for files do not count
    const std::string address = forwarded_for(request, address_);
    if (!server_.addresses.enter(address, now()))
      return refuse(http::status::too_many_requests, "too many connections from this address");
    place = Place(server_, address);
  }
  if (auto no = refuses_socket(request)) return answer(request, std::move(*no));
  open_socket(server_, std::move(stream_), std::move(request), std::move(place));
}

std::optional<Response> HttpSession::refuses_socket(const Request& request) const {
  if (request.target() != "/table" || request.method() != http::verb::get)
    return plain(http::status::not_found, "tables are at /table");
  if (!server_.origin_check.knows_origin(std_view(request[http::field::origin]), std_view(request[http::field::host])))
    return plain(http::status::forbidden, "the Origin header is missing or does not match this server");
  if (!lists(request[http::field::sec_websocket_protocol], kProtocol))
    return plain(http::status::bad_request,
                 fmt::format("this server requires protocol {}; reload the page", kProtocol));
  return std::nullopt;
}

Response HttpSession::file(const Request& request) const {
  const auto found = server_.files.find(std_view(request.target()));
  if (!found) return plain(http::status::not_found, "not found");
  Response response{http::status::ok, request.version()};
  response.set(http::field::etag, found->tag);
  response.set(http::field::cache_control, found->for_good ? "public, max-age=31536000, immutable" : "no-cache");
  response.set(http::field::vary, "Accept-Encoding");
  if (std_view(request[http::field::if_none_match]).find(found->tag) != std::string_view::npos) {
    response.result(http::status::not_modified);
  } else {
    const bool zipped = lists(request[http::field::accept_encoding], "gzip");
    response.set(http::field::content_type, found->type);
    if (zipped) response.set(http::field::content_encoding, "gzip");
    response.body() = zipped ? found->gzipped : found->plain;
  }
  return response;
}

Response HttpSession::plain(http::status status, std::string text) const {
  Response response{status, 11};
  response.set(http::field::content_type, "text/plain; charset=utf-8");
  response.set(http::field::cache_control, "no-store");
  response.body() = std::move(text) + "\n";
  return response;
}

// Blocks foreign content, inline scripts and framing. The host name was validated before it is written here.
void HttpSession::add_policies(Response& response, beast::string_view host) const {
  const std::string socket =
      server_.origin_check.knows_host(std_view(host)) ? fmt::format(" ws://{0} wss://{0}", std_view(host)) : "";
  response.set(http::field::server, "cardwright");
  response.set("Content-Security-Policy",
               "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'" +
                   socket + "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
  response.set("X-Content-Type-Options", "nosniff");
  response.set("Referrer-Policy", "no-referrer");
  response.set("X-Frame-Options", "DENY");
  response.set("Cross-Origin-Opener-Policy", "same-origin");
  response.set("Cross-Origin-Resource-Policy", "same-origin");
}

void HttpSession::answer(const Request& request, Response response) {
  const bool stays =
      request.keep_alive() && http::to_status_class(response.result()) != http::status_class::client_error;
  add_policies(response, request[http::field::host]);
  response.version(request.version());
  response.keep_alive(stays);
  response.prepare_payload();
  if (request.method() == http::verb::head) response.body().clear();   // Content-Length is still sent
  const auto sent = std::make_shared<Response>(std::move(response));
  stream_.expires_after(std::chrono::microseconds(server_.limits.request_within));
  http::async_write(stream_, *sent, [self = shared_from_this(), sent, stays](const error_code& wrong, std::size_t) {
    if (wrong || !stays) return self->close();
    self->read();
  });
}

void HttpSession::close() {
  error_code ignored;
  stream_.socket().shutdown(boost::asio::ip::tcp::socket::shutdown_send, ignored);
}

void begin_session(ServerContext& server, boost::asio::ip::tcp::socket socket, std::string address, Place place) {
  std::make_shared<HttpSession>(server, std::move(socket), std::move(address), std::move(place))->read();
}

}   // namespace cardwright::server
