// Validates that a request comes from the server's own page: by Host, against DNS rebinding, and by Origin, against
// other pages that connect to a table. The server uses no cookies, so other cross-site requests are harmless.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cardwright::server {

// "https://games.example": scheme, host and port as a browser sends them, lower case and without the scheme's own port.
// Normalizes an origin. Throws Error(caller) if it is invalid.
std::string origin_of(std::string_view url);

class OriginCheck {
 public:
  // `address` is the listen address as given; `origins` are additional public origins in the form of origin_of().
  OriginCheck(const std::string& address, std::uint16_t port, std::vector<std::string> origins);
  bool knows_host(std::string_view host) const;
  // True if the origin matches a page that was requested with this Host header.
  bool knows_origin(std::string_view origin, std::string_view host) const;
  // The prefix of links: the first given origin, else http:// and an address that others can reach.
  const std::string& link() const { return link_; }

 private:
  std::vector<std::string> hosts_, origins_;
  std::string link_;
};

}   // namespace cardwright::server
