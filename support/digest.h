// Computes collision-resistant 128-bit digests with BLAKE2b (RFC 7693, without a key).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace cardwright {

using Digest = std::array<std::uint8_t, 16>;

Digest digest_of(std::string_view bytes);
std::string hex(const Digest& digest);
inline std::string_view as_bytes(const Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

}   // namespace cardwright
