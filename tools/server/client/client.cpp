// Implements the HTTP and WebSocket client.
#include "tools/server/client/client.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <stdexcept>

namespace cardwright::server {

namespace {

std::int64_t milliseconds() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

sockaddr_in address(const std::string& text, int port) {
  sockaddr_in out{};
  out.sin_family = AF_INET;
  out.sin_port = htons(static_cast<std::uint16_t>(port));
  inet_pton(AF_INET, text.c_str(), &out.sin_addr);
  return out;
}

}   // namespace

std::string HttpAnswer::header(std::string_view name) const {
  for (std::size_t at = head.find("\r\n"); at != std::string::npos; at = head.find("\r\n", at + 2)) {
    const std::string_view line = std::string_view(head).substr(at + 2);
    if (line.size() > name.size() + 1 && strncasecmp(line.data(), name.data(), name.size()) == 0 &&
        line[name.size()] == ':') {
      const std::string_view value = line.substr(name.size() + 1, line.find("\r\n") - name.size() - 1);
      return std::string(value.substr(std::min(value.size(), value.find_first_not_of(' '))));
    }
  }
  return {};
}

Client::Client(int port, const std::string& from, int receive_buffer) : port_(port) {
  socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int on = 1;
  setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (receive_buffer > 0) setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
  sockaddr_in own = address(from, 0), there = address("127.0.0.1", port);
  if (bind(socket_, reinterpret_cast<sockaddr*>(&own), sizeof own) != 0 ||
      connect(socket_, reinterpret_cast<sockaddr*>(&there), sizeof there) != 0)
    drop();
}

Client::~Client() { drop(); }

Client& Client::operator=(Client&& other) noexcept {
  std::swap(socket_, other.socket_);
  std::swap(port_, other.port_);
  std::swap(in_, other.in_);
  std::swap(closed_, other.closed_);
  std::swap(code_, other.code_);
  return *this;
}

void Client::drop() {
  if (socket_ >= 0) ::close(socket_);
  socket_ = -1;
  closed_ = true;
}

bool Client::write(std::string_view bytes) {
  while (socket_ >= 0 && !bytes.empty()) {
    const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return socket_ >= 0;
}

// Reads more bytes. Returns false at the end of the stream or when the time is up.
bool Client::fill(std::int64_t until) {
  if (socket_ < 0) return false;
  pollfd wanted{socket_, POLLIN, 0};
  if (poll(&wanted, 1, static_cast<int>(std::max<std::int64_t>(0, until - milliseconds()))) <= 0) return false;
  char buffer[16 << 10];
  const ssize_t got = recv(socket_, buffer, sizeof buffer, 0);
  if (got <= 0) {
    closed_ = true;
    return false;
  }
  in_.append(buffer, static_cast<std::size_t>(got));
  return true;
}

HttpAnswer Client::ask(const std::string& request) {
  HttpAnswer answer;
  write(request);
  const std::int64_t until = milliseconds() + kPatience;
  std::size_t end;
  while ((end = in_.find("\r\n\r\n")) == std::string::npos)
    if (!fill(until)) return answer;
  answer.head = in_.substr(0, end + 2);
  in_.erase(0, end + 4);
  answer.status = std::atoi(answer.head.c_str() + std::min<std::size_t>(answer.head.size(), 9));
  const std::string length = answer.header("Content-Length");
  const std::size_t size = request.starts_with("HEAD") || length.empty() ? 0 : std::stoul(length);
  while (in_.size() < size)
    if (!fill(until)) return answer;
  answer.body = in_.substr(0, size);
  in_.erase(0, size);
  return answer;
}

HttpAnswer Client::get(const std::string& path, const std::string& more_headers) {
  return ask("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port_) + "\r\n" + more_headers + "\r\n");
}

int Client::upgrade(const std::string& origin, const std::string& host, const std::string& protocol,
                    const std::string& more_headers) {
  const auto header = [](const char* name, const std::string& value) {
    return value.empty() ? std::string() : std::string(name) + ": " + value + "\r\n";
  };
  return ask("GET /table HTTP/1.1\r\n" + header("Host", host) + header("Origin", origin) +
             header("Sec-WebSocket-Protocol", protocol) + more_headers +
             "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: "
             "dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
      .status;
}

bool Client::send_frame(int opcode, std::string_view payload, bool last, bool masked) {
  std::string frame(1, static_cast<char>((last ? 0x80 : 0) | opcode));
  const char mask_bit = masked ? static_cast<char>(0x80) : '\0';
  if (payload.size() < 126) {
    frame += static_cast<char>(mask_bit | static_cast<char>(payload.size()));
  } else {
    frame += static_cast<char>(mask_bit | (payload.size() < 65536 ? 126 : 127));
    for (int shift = payload.size() < 65536 ? 8 : 56; shift >= 0; shift -= 8)
      frame += static_cast<char>(payload.size() >> shift);
  }
  static constexpr char kMask[4] = {0x12, 0x34, 0x56, 0x78};
  if (masked) frame.append(kMask, 4);
  for (std::size_t i = 0; i < payload.size(); ++i)
    frame += masked ? static_cast<char>(payload[i] ^ kMask[i % 4]) : payload[i];
  return write(frame);
}

std::optional<Json> Client::next(int patience) {
  const auto text = next_text(patience);
  return text ? std::optional(Json::parse(*text)) : std::nullopt;
}

std::optional<std::string> Client::next_text(int patience) {
  const std::int64_t until = milliseconds() + patience;
  for (;;) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(in_[i]); };
    std::size_t head = 2, size = 0;
    bool whole = in_.size() >= 2;
    if (whole) {
      size = byte(1) & 127;
      const std::size_t more = size == 126 ? 2 : size == 127 ? 8 : 0;
      head += more;
      if (in_.size() < head)
        whole = false;
      else if (more) {
        size = 0;
        for (std::size_t i = 0; i < more; ++i) size = size << 8 | byte(2 + i);
      }
    }
    if (!whole || in_.size() < head + size) {
      if (!fill(until)) return std::nullopt;
      continue;
    }
    const int opcode = byte(0) & 15;
    const std::string payload = in_.substr(head, size);
    in_.erase(0, head + size);
    if (opcode == 1) return payload;
    if (opcode == 9) send_frame(10, payload);
    if (opcode == 8) {
      closed_ = true;
      if (payload.size() >= 2)
        code_ = static_cast<unsigned char>(payload[0]) << 8 | static_cast<unsigned char>(payload[1]);
      send_frame(8, payload);
      return std::nullopt;
    }
  }
}

std::optional<Json> Client::until(std::string_view kind, int patience) {
  const std::int64_t end = milliseconds() + patience;
  while (auto message = next(static_cast<int>(std::max<std::int64_t>(0, end - milliseconds()))))
    if (message->value("k", "") == kind) return message;
  return std::nullopt;
}

Client at_table(int port, const std::string& key, const std::string& from) {
  Client client(port, from);
  if (client.upgrade() != 101) throw std::runtime_error("the server rejected the WebSocket connection");
  client.send({{"k", "hello"}, {"key", key}});
  return client;
}

std::string key_in(const std::string& link) { return link.substr(link.find("#k=") + 3); }

}   // namespace cardwright::server
