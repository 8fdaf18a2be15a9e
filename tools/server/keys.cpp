// Creates, stores and finds the keys that grant access to tables.
#include "tools/server/keys.h"

#include <sys/random.h>

#include <cstring>

#include "cardwright/cardwright.hpp"

namespace cardwright::server {

namespace {

void fill_randomly(void* bytes, std::size_t size) {
  if (getrandom(bytes, size, 0) != static_cast<ssize_t>(size))
    throw api::Error(api::Blame::internal, "the system does not provide random numbers");
}

std::uint64_t first_half(const Digest& hash) {
  std::uint64_t half = 0;
  std::memcpy(&half, hash.data(), sizeof half);
  return half;
}

}   // namespace

std::uint64_t random_bits() {
  std::uint64_t bits = 0;
  fill_randomly(&bits, sizeof bits);
  return bits;
}

std::string fresh_key() {
  static constexpr char kLetters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::uint8_t bytes[16];
  fill_randomly(bytes, sizeof bytes);
  std::string key;
  std::uint32_t bits = 0;
  int held = 0;
  for (const std::uint8_t byte : bytes) {
    bits = bits << 8 | byte;
    for (held += 8; held >= 6; held -= 6) key += kLetters[bits >> (held - 6) & 63];
  }
  key += kLetters[bits << (6 - held) & 63];
  return key;
}

Digest hash_of_key(std::string_view key) { return digest_of(key); }

bool equal_in_constant_time(const Digest& a, const Digest& b) {
  unsigned differs = 0;
  for (std::size_t i = 0; i < a.size(); ++i) differs |= static_cast<unsigned>(a[i] ^ b[i]);
  return differs == 0;
}

void Keys::put(const Key& key) {
  const std::lock_guard lock(mutex_);
  const auto [begin, end] = all_.equal_range(first_half(key.hash));
  for (auto one = begin; one != end; ++one)
    if (equal_in_constant_time(one->second.hash, key.hash)) {
      one->second = key;
      return;
    }
  all_.emplace(first_half(key.hash), key);
}

std::optional<Key> Keys::find(const Digest& hash) const {
  const std::lock_guard lock(mutex_);
  const auto [begin, end] = all_.equal_range(first_half(hash));
  for (auto one = begin; one != end; ++one)
    if (equal_in_constant_time(one->second.hash, hash)) return one->second;
  return std::nullopt;
}

std::vector<Key> Keys::of_table(std::int64_t table) const {
  const std::lock_guard lock(mutex_);
  std::vector<Key> out;
  for (const auto& [half, key] : all_)
    if (key.table == table) out.push_back(key);
  return out;
}

void Keys::forget_table(std::int64_t table) {
  const std::lock_guard lock(mutex_);
  std::erase_if(all_, [&](const auto& one) { return one.second.table == table; });
}

}   // namespace cardwright::server
