// Somebody at the other end of a socket: HTTP and WebSocket by hand, so that wrong things can be said, too.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace cardwright::test {

using Json = nlohmann::json;

struct HttpAnswer {
  int status = 0;
  std::string head, body;
  std::string header(std::string_view name) const;   // empty where there is none
};

class Client {
 public:
  static constexpr int kPatience = 10'000;   // milliseconds

  Client() = default;
  // From that address, of which a machine has 127.0.0.0/8. `receive_buffer`: bytes that wait in the system; 0: as
  // usual.
  explicit Client(int port, const std::string& from = "127.0.0.1", int receive_buffer = 0);
  ~Client();
  Client(Client&& other) noexcept { *this = std::move(other); }
  Client& operator=(Client&& other) noexcept;

  bool is_open() const { return socket_ >= 0; }
  bool write(std::string_view bytes);
  // The answer to a request that was written whole.
  HttpAnswer ask(const std::string& request);
  HttpAnswer get(const std::string& path, const std::string& more_headers = {});
  // Becomes a WebSocket; 101 if it did.
  int upgrade(const std::string& origin, const std::string& host, const std::string& protocol = "cardwright.1",
              const std::string& more_headers = {});
  int upgrade() { return upgrade("http://127.0.0.1:" + std::to_string(port_), "127.0.0.1:" + std::to_string(port_)); }

  bool send(const Json& message) { return send_frame(1, message.dump()); }
  bool send_frame(int opcode, std::string_view payload, bool last = true, bool masked = true);
  // The next message, or nothing: none came in time, or the connection was closed.
  std::optional<Json> next(int milliseconds = kPatience);
  std::optional<std::string> next_text(int milliseconds = kPatience);   // … as it came
  int socket() const { return socket_; }
  // The next message of this kind; others are passed over.
  std::optional<Json> until(std::string_view kind, int milliseconds = kPatience);
  bool was_closed() const { return closed_; }
  int close_code() const { return code_; }   // of the close frame; 0: none came
  void drop();   // without a word

 private:
  bool fill(std::int64_t until);
  int socket_ = -1, port_ = 0;
  std::string in_;
  bool closed_ = false;
  int code_ = 0;
};

// A client that was upgraded and has said hello.
Client at_table(int port, const std::string& key, const std::string& from = "127.0.0.1");
// "…#k=KEY" -> KEY
std::string key_in(const std::string& link);

}   // namespace cardwright::test
