// Implements the WebSocket connection of a client: its messages, pings and send queue.
#include "tools/server/socket.h"

#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <boost/beast/websocket/stream.hpp>

#include <algorithm>
#include <charconv>
#include <deque>
#include <mutex>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tools/server/clock.h"
#include "tools/server/round_trip.h"

namespace cardwright::server {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace websocket = beast::websocket;
using boost::system::error_code;
using nlohmann::ordered_json;

namespace {

constexpr auto kMeasureEvery = std::chrono::seconds(5);
constexpr std::size_t kMeasured = 10;   // number of remembered round trips

std::string text_of(const ordered_json& json) {
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

// Truncates text at a character boundary to the maximum length in a close frame.
std::string shortened(std::string text) {
  constexpr std::size_t kMost = 120;
  if (text.size() <= kMost) return text;
  std::size_t end = kMost;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end);
}

}   // namespace

class Socket final : public Connection, public std::enable_shared_from_this<Socket> {
 public:
  Socket(ServerContext& server, beast::tcp_stream stream, Place place)
      : Connection(server.next_device++),
        server_(server),
        place_(std::move(place)),
        ws_(std::move(stream)),
        timer_(ws_.get_executor()),
        messages_(server.limits.messages),
        why_(server.limits.why),
        at_(server.limits.at) {
    ++server_.sockets;
  }
  ~Socket() override { --server_.sockets; }

  void start(Request request);
  void send(std::shared_ptr<const std::string> text) override;
  void close(const std::string& because, bool again) override { end(because, again, websocket::close_code::normal); }
  void confirm() override;

 private:
  void end(const std::string& because, bool again, websocket::close_code code);
  void opened(const error_code& wrong);
  void read();
  void on_read(const error_code& wrong);
  void on_message(std::string_view text, std::int64_t at);
  void on_hello(const ordered_json& json);
  bool may(const std::string& kind, std::int64_t at);
  void refuse(const std::string& because);
  void misbehaves(const std::string& because) { end(because, false, websocket::close_code::policy_error); }
  // Returns the part of a text's size that counts toward the queue limit. A text larger than the limit must still be
  // delivered: otherwise its connection would be closed, and a reconnected client would receive the same text and be
  // closed again.
  std::size_t counted(const std::string& text) const { return std::min(text.size(), server_.limits.outbox_bytes / 4); }
  void write_next();
  void ping_next();
  void on_control(websocket::frame_type kind, beast::string_view payload);
  void measure_later();
  std::int64_t delay();
  void gone();

  ServerContext& server_;
  Place place_;
  websocket::stream<beast::tcp_stream, false> ws_;   // without compression
  asio::steady_timer timer_;
  beast::flat_buffer buffer_;
  std::shared_ptr<TableHost> table_host_;   // set after hello
  Bucket messages_, why_, at_;
  int dropped_ = 0, refused_ = 0;
  bool heard_hello_ = false;
  // Only one ping is in flight at a time.
  bool pinging_ = false, confirm_ = false, measure_ = false;
  std::int64_t pinged_at_ = -1;
  std::deque<std::int64_t> trips_;

  std::mutex mutex_;   // guards the following members
  std::deque<std::shared_ptr<const std::string>> outbox_;
  std::size_t bytes_ = 0;
  bool writing_ = false, ending_ = false, dead_ = false;
  websocket::close_reason reason_;
};

void Socket::start(Request request) {
  websocket::stream_base::timeout timeout{std::chrono::microseconds(server_.limits.request_within),
                                          std::chrono::microseconds(server_.limits.silent_for), true};
  ws_.next_layer().expires_never();
  ws_.set_option(timeout);
  ws_.set_option(websocket::stream_base::decorator([](websocket::response_type& response) {
    response.set(beast::http::field::sec_websocket_protocol, kProtocol);
    response.set(beast::http::field::server, "cardwright");
  }));
  ws_.read_message_max(server_.limits.frame_bytes);
  ws_.text(true);
  ws_.auto_fragment(false);
  const auto shared = std::make_shared<Request>(std::move(request));
  ws_.async_accept(*shared, [self = shared_from_this(), shared](const error_code& wrong) { self->opened(wrong); });
}

void Socket::opened(const error_code& wrong) {
  if (wrong) return gone();
  ws_.control_callback([this](websocket::frame_type kind, beast::string_view payload) { on_control(kind, payload); });
  timer_.expires_after(std::chrono::microseconds(server_.limits.hello_within));
  timer_.async_wait([self = shared_from_this()](const error_code& cancelled) {
    if (!cancelled && !self->heard_hello_) self->misbehaves("no `hello` message within the time limit");
  });
  read();
}

// ---- receiving

void Socket::read() {
  ws_.async_read(buffer_, [self = shared_from_this()](const error_code& wrong, std::size_t) { self->on_read(wrong); });
}

void Socket::on_read(const error_code& wrong) {
  const std::int64_t at = now();   // measured before any queue, so that this is the arrival time
  if (wrong) return gone();
  const auto bytes = buffer_.cdata();
  if (!ws_.got_text())
    misbehaves("messages must be JSON text");
  else
    on_message({static_cast<const char*>(bytes.data()), bytes.size()}, at);
  buffer_.consume(buffer_.size());
  read();
}

void Socket::on_message(std::string_view text, std::int64_t at) {
  {
    const std::lock_guard lock(mutex_);
    if (ending_) return;
  }
  if (!messages_.take(at)) {
    if (dropped_++ == 0)
      refuse(fmt::format("too many messages: the limit is {:g} per second", server_.limits.messages.a_second));
    if (dropped_ > server_.limits.dropped) misbehaves("too many messages");
    return;
  }
  const ordered_json json = ordered_json::parse(text, nullptr, false);
  const auto kind = json.is_object() ? json.find("k") : json.end();
  if (!json.is_object() || kind == json.end() || !kind->is_string()) {
    refuse("expected a JSON object with the field `k`");
    if (++refused_ > server_.limits.refused) misbehaves("too many invalid messages");
    return;
  }
  const std::string name = *kind;
  if (!heard_hello_ && name != "hello") return misbehaves("the first message must be `hello`");
  if (name == "hello") return on_hello(json);
  if (name == "ping") return send(std::make_shared<const std::string>(text_of({{"k", "pong"}})));
  if (table_host_ && may(name, at)) table_host_->receive(device(), std::string(text), at, delay());
}

bool Socket::may(const std::string& kind, std::int64_t at) {
  const bool is_why = kind == "why", is_at = kind == "at";
  if (!is_why && !is_at) return true;
  if ((is_why ? why_ : at_).take(at)) return true;
  refuse(fmt::format("too many requests `{}`: the limit is {:g} per second", kind,
                     (is_why ? server_.limits.why : server_.limits.at).a_second));
  return false;
}

void Socket::on_hello(const ordered_json& json) {
  if (heard_hello_) return refuse("duplicate `hello` message");
  const auto key = json.find("key");
  if (key == json.end() || !key->is_string())
    return misbehaves("this address needs the link of a table: open the link from your invitation");
  api::SeenSteps seen;
  if (const auto run = json.find("run"); run != json.end() && run->is_string()) seen.run = *run;
  if (const auto given = json.find("steps"); given != json.end() && given->is_object())
    for (const auto& [seat, step] : given->items()) {
      int number = 0;
      const auto [end, wrong] = std::from_chars(seat.data(), seat.data() + seat.size(), number);
      if (wrong == std::errc{} && end == seat.data() + seat.size() && step.is_number_integer())
        seen.steps[number] = step;
    }
  heard_hello_ = true;
  timer_.cancel();
  table_host_ = server_.registry.enter(shared_from_this(), *key, std::move(seen));
  if (table_host_ && server_.behind_proxy) {
    measure_ = true;
    ping_next();
  }
}

void Socket::refuse(const std::string& because) {
  send(std::make_shared<const std::string>(text_of({{"k", "refused"}, {"because", because}})));
}

// ---- sending

void Socket::send(std::shared_ptr<const std::string> text) {
  {
    const std::lock_guard lock(mutex_);
    if (ending_ || dead_) return;
    bytes_ += counted(*text);
    outbox_.push_back(std::move(text));
    if (bytes_ > server_.limits.outbox_bytes) {   // the client is not reading, so an error message would not arrive
      dead_ = true;
      asio::post(ws_.get_executor(), [self = shared_from_this()] { self->ws_.next_layer().close(); });
      return;
    }
    if (std::exchange(writing_, true)) return;
  }
  asio::post(ws_.get_executor(), [self = shared_from_this()] { self->write_next(); });
}

void Socket::end(const std::string& because, bool again, websocket::close_code code) {
  {
    const std::lock_guard lock(mutex_);
    if (ending_ || dead_) return;
    ending_ = true;
    reason_ = {code, shortened(because)};
    outbox_.push_back(
        std::make_shared<const std::string>(text_of({{"k", "bye"}, {"because", because}, {"again", again}})));
    if (std::exchange(writing_, true)) return;
  }
  asio::post(ws_.get_executor(), [self = shared_from_this()] { self->write_next(); });
}

void Socket::write_next() {
  std::shared_ptr<const std::string> text;
  bool ends = false;
  {
    const std::lock_guard lock(mutex_);
    if (dead_) return;
    if (outbox_.empty()) {
      writing_ = false;
      ends = dead_ = ending_;
    } else {
      text = std::move(outbox_.front());
      outbox_.pop_front();
    }
  }
  if (!text && !ends) return ping_next();
  if (!text) return ws_.async_close(reason_, [self = shared_from_this()](const error_code&) {});
  const auto bytes = asio::buffer(*text);
  ws_.async_write(bytes, [self = shared_from_this(), text](const error_code& wrong, std::size_t) {
    if (wrong) return;   // reading then also fails and closes the connection
    {
      const std::lock_guard lock(self->mutex_);
      self->bytes_ -= std::min(self->bytes_, self->counted(*text));
    }
    self->write_next();
  });
}

// ---- pings

void Socket::confirm() {
  asio::post(ws_.get_executor(), [self = shared_from_this()] {
    self->confirm_ = true;
    self->ping_next();
  });
}

// Sends a ping after all queued messages, so that the pong confirms their delivery.
void Socket::ping_next() {
  if (pinging_ || (!confirm_ && !measure_)) return;
  {
    const std::lock_guard lock(mutex_);
    if (dead_ || writing_) return;   // called again when all is written
  }
  pinging_ = true;
  const bool confirms = std::exchange(confirm_, false);
  if (!confirms) {
    measure_ = false;
    pinged_at_ = now();
  }
  ws_.async_ping(confirms ? "arrived" : "trip", [self = shared_from_this()](const error_code& wrong) {
    self->pinging_ = false;
    if (!wrong) self->ping_next();
  });
}

void Socket::on_control(websocket::frame_type kind, beast::string_view payload) {
  if (kind != websocket::frame_type::pong) return;
  if (payload == "arrived" && table_host_) table_host_->arrived(device());
  if (payload != "trip" || pinged_at_ < 0) return;
  trips_.push_back(now() - std::exchange(pinged_at_, -1));
  if (trips_.size() > kMeasured) trips_.pop_front();
  measure_later();
}

void Socket::measure_later() {
  timer_.expires_after(kMeasureEvery);
  timer_.async_wait([self = shared_from_this()](const error_code& cancelled) {
    if (cancelled) return;
    self->measure_ = true;
    self->ping_next();
  });
}

std::int64_t Socket::delay() {
  if (!server_.behind_proxy) return least_round_trip(ws_.next_layer().socket().native_handle());
  return trips_.empty() ? 0 : *std::min_element(trips_.begin(), trips_.end());
}

// ---- closing

void Socket::gone() {
  {
    const std::lock_guard lock(mutex_);
    dead_ = true;
    outbox_.clear();
  }
  timer_.cancel();
  if (table_host_) std::exchange(table_host_, nullptr)->leave(device());
}

void open_socket(ServerContext& server, beast::tcp_stream stream, Request request, Place place) {
  std::make_shared<Socket>(server, std::move(stream), std::move(place))->start(std::move(request));
}

}   // namespace cardwright::server
