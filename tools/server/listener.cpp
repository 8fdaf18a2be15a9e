// Accepts connections within the limits per address.
#include "tools/server/listener.h"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/write.hpp>

#include <chrono>
#include <optional>

#include <fmt/format.h>

#include "tools/server/asio_loop.h"
#include "tools/server/clock.h"
#include "tools/server/http_session.h"

namespace cardwright::server {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

struct Listener::Data : std::enable_shared_from_this<Data> {
  explicit Data(asio::io_context& context)
      : context(context), acceptor(asio::make_strand(context)), again(acceptor.get_executor()) {}
  void listen(const std::string& address, int port);
  void accept(ServerContext& server);
  void came(ServerContext& server, tcp::socket socket);

  asio::io_context& context;
  tcp::acceptor acceptor;
  asio::steady_timer again;
};

void Listener::Data::listen(const std::string& address, int port) {
  error_code wrong;
  const asio::ip::address ip = asio::ip::make_address(address, wrong);
  if (wrong)
    throw api::Error(
        api::Blame::caller,
        fmt::format("invalid listen address `{}`: expected an IP address such as 127.0.0.1, 0.0.0.0 or ::", address));
  const tcp::endpoint at(ip, static_cast<std::uint16_t>(port));
  acceptor.open(at.protocol(), wrong);
  if (!wrong) acceptor.set_option(tcp::acceptor::reuse_address(true), wrong);
  if (!wrong && ip.is_v6()) acceptor.set_option(asio::ip::v6_only(false), wrong);
  if (!wrong) acceptor.bind(at, wrong);
  if (!wrong) acceptor.listen(1024, wrong);
  if (wrong)
    throw api::Error(api::Blame::caller,
                     fmt::format("cannot listen on {} port {}: {}; choose another port with `--port P`", address, port,
                                 wrong.message()));
}

void Listener::Data::accept(ServerContext& server) {
  acceptor.async_accept(asio::make_strand(context),
                        [self = shared_from_this(), &server](const error_code& wrong, tcp::socket socket) {
                          if (!self->acceptor.is_open()) return;
                          if (!wrong) {
                            self->came(server, std::move(socket));
                            return self->accept(server);
                          }
                          // The process has no free file descriptors.
                          self->again.expires_after(std::chrono::milliseconds(100));
                          self->again.async_wait([self, &server](const error_code& cancelled) {
                            if (!cancelled) self->accept(server);
                          });
                        });
}

void Listener::Data::came(ServerContext& server, tcp::socket socket) {
  error_code wrong;
  const tcp::endpoint from = socket.remote_endpoint(wrong);
  if (wrong) return;
  socket.set_option(tcp::no_delay(true), wrong);
  const std::string address = from.address().to_string();
  // Behind a proxy, the request contains the client's address.
  if (server.behind_proxy) return begin_session(server, std::move(socket), address, {});
  if (server.addresses.enter(address, now()))
    return begin_session(server, std::move(socket), address, Place(server, address));
  static constexpr std::string_view kNo =
      "HTTP/1.1 429 Too Many Requests\r\nContent-Type: text/plain\r\nContent-Length: 40\r\nConnection: close\r\n\r\n"
      "too many connections from this address\r\n";
  socket.non_blocking(true, wrong);
  asio::write(socket, asio::buffer(kNo), wrong);
}

Listener::Listener(Loop& loop, const std::string& address, int port)
    : data_(std::make_shared<Data>(loop.data().context)) {
  data_->listen(address, port);
}

Listener::~Listener() { stop(); }

std::uint16_t Listener::port() const { return data_->acceptor.local_endpoint().port(); }

void Listener::start(ServerContext& server) {
  asio::post(data_->acceptor.get_executor(), [data = data_, &server] { data->accept(server); });
}

void Listener::stop() {
  asio::post(data_->acceptor.get_executor(), [data = data_] {
    error_code ignored;
    data->acceptor.close(ignored);
    data->again.cancel();
  });
}

}   // namespace cardwright::server
