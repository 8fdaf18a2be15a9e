// Defines an HTTP and WebSocket client for load tests and for tests of the server. It uses no library, so that it can
// also send malformed data.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace cardwright::server {

using Json = nlohmann::json;

struct HttpAnswer {
  int status = 0;
  std::string head, body;
  std::string header(std::string_view name) const;   // empty if absent
};

class Client {
 public:
  static constexpr int kPatience = 10'000;   // in milliseconds

  Client() = default;
  // Connects from `from`, any address in 127.0.0.0/8. `receive_buffer` is the size of the system's
  // receive buffer in bytes; 0: default.
  explicit Client(int port, const std::string& from = "127.0.0.1", int receive_buffer = 0);
  ~Client();
  Client(Client&& other) noexcept { *this = std::move(other); }
  Client& operator=(Client&& other) noexcept;

  bool is_open() const { return socket_ >= 0; }
  bool write(std::string_view bytes);
  // Sends a complete request and returns the answer.
  HttpAnswer ask(const std::string& request);
  HttpAnswer get(const std::string& path, const std::string& more_headers = {});
  // Upgrades to a WebSocket and returns the status: 101 on success.
  int upgrade(const std::string& origin, const std::string& host, const std::string& protocol = "cardwright.1",
              const std::string& more_headers = {});
  int upgrade() { return upgrade("http://127.0.0.1:" + std::to_string(port_), "127.0.0.1:" + std::to_string(port_)); }

  bool send(const Json& message) { return send_frame(1, message.dump()); }
  bool send_frame(int opcode, std::string_view payload, bool last = true, bool masked = true);
  // Returns the next message, or nothing if none arrives in time or the connection is closed.
  std::optional<Json> next(int milliseconds = kPatience);
  std::optional<std::string> next_text(int milliseconds = kPatience);   // unparsed
  int socket() const { return socket_; }
  // Returns the next message of this kind and skips others.
  std::optional<Json> until(std::string_view kind, int milliseconds = kPatience);
  bool was_closed() const { return closed_; }
  int close_code() const { return code_; }   // code of the close frame; 0: none received
  void drop();   // closes the connection without a close frame

 private:
  bool fill(std::int64_t until);
  int socket_ = -1, port_ = 0;
  std::string in_;
  bool closed_ = false;
  int code_ = 0;
};

// Returns an upgraded client that has sent `hello`.
Client at_table(int port, const std::string& key, const std::string& from = "127.0.0.1");
// Returns the key in a link: KEY for "…#k=KEY".
std::string key_in(const std::string& link);

}   // namespace cardwright::server
