// Validates that a request comes from the server's own page. The Host header protects against DNS rebinding, and the
// Origin header against other pages that connect to a table. The server uses no cookies, so other cross-site requests
// are harmless.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cardwright::server {

// Normalizes an origin to the form that browsers send: "https://games.example", in lower case and without the scheme's
// default port. Throws Error(caller) if the origin is invalid.
std::string origin_of(std::string_view url);

class OriginCheck {
 public:
  // `address` is the listen address as the user specified it; `origins` are additional public origins in the form of
  // origin_of().
  OriginCheck(const std::string& address, std::uint16_t port, std::vector<std::string> origins);
  bool knows_host(std::string_view host) const;
  // Returns true if the origin matches a page that was requested with this Host header.
  bool knows_origin(std::string_view origin, std::string_view host) const;
  // Returns the prefix of links: the first specified origin or, if there is none, http:// and an address that other
  // machines can reach.
  const std::string& link() const { return link_; }

 private:
  std::vector<std::string> hosts_, origins_;
  std::string link_;
};

}   // namespace cardwright::server
