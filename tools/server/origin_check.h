// Which requests come from our own page: by Host, so that no other name leads here (DNS rebinding), and by Origin, so
// that no other page talks to a table. No cookies are used, so there is nothing else that a foreign page could ride on.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cardwright::server {

// "https://games.example": scheme, host and port as a browser sends them, lower case and without the scheme's own port.
// Throws Error(caller) where that is no origin.
std::string origin_of(std::string_view url);

class OriginCheck {
 public:
  // `address`: where the server listens, as it was said; `origins`: as of origin_of(), under which it is known besides.
  OriginCheck(const std::string& address, std::uint16_t port, std::vector<std::string> origins);
  bool knows_host(std::string_view host) const;
  // Of a page that was got by this Host.
  bool knows_origin(std::string_view origin, std::string_view host) const;
  // What links begin with: the first origin that was given, else http:// and an address under which others find us.
  const std::string& link() const { return link_; }

 private:
  std::vector<std::string> hosts_, origins_;
  std::string link_;
};

}   // namespace cardwright::server
