// Validates the Host and Origin headers of requests, and determines the prefix of links.
#include "tools/server/origin_check.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "cardwright/cardwright.hpp"

namespace cardwright::server {

namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

std::string with_brackets(const std::string& address) {
  return address.find(':') == std::string::npos ? address : "[" + address + "]";
}

// Returns the addresses of this machine: first IPv4, then IPv6, then loopback addresses.
std::vector<std::string> own_addresses() {
  std::vector<std::string> four, six, loopback;
  ifaddrs* all = nullptr;
  if (getifaddrs(&all) != 0) return {};
  for (const ifaddrs* one = all; one; one = one->ifa_next) {
    if (!one->ifa_addr || !(one->ifa_flags & IFF_UP)) continue;
    char text[INET6_ADDRSTRLEN] = "";
    const bool is_four = one->ifa_addr->sa_family == AF_INET;
    if (is_four)
      inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in*>(one->ifa_addr)->sin_addr, text, sizeof text);
    else if (one->ifa_addr->sa_family == AF_INET6)
      inet_ntop(AF_INET6, &reinterpret_cast<const sockaddr_in6*>(one->ifa_addr)->sin6_addr, text, sizeof text);
    if (*text) ((one->ifa_flags & IFF_LOOPBACK) ? loopback : is_four ? four : six).emplace_back(text);
  }
  freeifaddrs(all);
  four.insert(four.end(), six.begin(), six.end());
  four.insert(four.end(), loopback.begin(), loopback.end());
  return four;
}

std::string machine_name() {
  char name[256] = "";
  return gethostname(name, sizeof name - 1) == 0 ? lower(name) : "";
}

bool is_any(const std::string& address) { return address == "0.0.0.0" || address == "::"; }
bool is_loopback(const std::string& address) { return address.starts_with("127.") || address == "::1"; }

}   // namespace

std::string origin_of(std::string_view url) {
  std::string origin = lower(url);
  while (!origin.empty() && origin.back() == '/') origin.pop_back();
  const std::size_t scheme = origin.find("://");
  const std::string_view known = origin.starts_with("http://") ? ":80" : origin.starts_with("https://") ? ":443" : "";
  const auto fits = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '-' || c == ':' || c == '[' || c == ']';
  };
  if (known.empty() || scheme + 3 == origin.size() ||
      !std::all_of(origin.begin() + static_cast<std::ptrdiff_t>(scheme) + 3, origin.end(), fits))
    throw api::Error(
        api::Blame::caller,
        fmt::format("invalid origin `{}`: expected a scheme and a host, such as https://games.example", url));
  if (origin.ends_with(known)) origin.resize(origin.size() - known.size());
  return origin;
}

OriginCheck::OriginCheck(const std::string& address, std::uint16_t port, std::vector<std::string> origins)
    : origins_(std::move(origins)) {
  std::vector<std::string> names;
  if (is_any(address)) {
    names = own_addresses();
    if (const std::string name = machine_name(); !name.empty()) names.insert(names.end(), {name, name + ".local"});
  } else {
    names.push_back(address);
  }
  const std::string shown = names.empty() ? address : names.front();
  if (is_any(address) || is_loopback(address)) names.insert(names.end(), {"localhost", "127.0.0.1", "::1"});
  for (const std::string& name : names) {
    hosts_.push_back(fmt::format("{}:{}", with_brackets(lower(name)), port));
    if (port == 80) hosts_.push_back(with_brackets(lower(name)));
  }
  for (const std::string& origin : origins_) hosts_.push_back(origin.substr(origin.find("://") + 3));
  link_ = origins_.empty() ? fmt::format("http://{}:{}", with_brackets(shown), port) : origins_.front();
}

bool OriginCheck::knows_host(std::string_view host) const {
  return std::find(hosts_.begin(), hosts_.end(), lower(host)) != hosts_.end();
}

bool OriginCheck::knows_origin(std::string_view origin, std::string_view host) const {
  const std::string asked = lower(origin);
  if (std::find(origins_.begin(), origins_.end(), asked) != origins_.end()) return true;
  return knows_host(host) && asked == "http://" + lower(host);
}

}   // namespace cardwright::server
