// Parses decimal numbers exactly: `6.6` is 66 / 10.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace cardwright {

struct Decimal {
  std::int64_t digits = 0;
  std::int64_t scale = 1;
};

// Parses digits with one decimal point between them. Returns nullopt for any other string or too many digits.
inline std::optional<Decimal> read_decimal(std::string_view written) {
  constexpr std::int64_t kMostDigits = 1'000'000'000'000, kMostScale = 1'000'000'000;
  Decimal d;
  bool behind = false;
  if (written.empty() || written.front() == '.' || written.back() == '.') return std::nullopt;
  for (const char c : written) {
    if (c == '.' && !behind) {
      behind = true;
      continue;
    }
    if (c < '0' || c > '9' || d.scale >= kMostScale || d.digits >= kMostDigits) return std::nullopt;
    d.digits = 10 * d.digits + (c - '0');
    if (behind) d.scale *= 10;
  }
  return d;
}

}   // namespace cardwright
