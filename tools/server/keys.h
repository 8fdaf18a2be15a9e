// Manages the keys that grant access to a table. A key is 128 random bits in the fragment (after `#`) of a link, which
// browsers do not send. Only hashes are stored, so that reading the database does not grant access.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/digest.h"

namespace cardwright::server {

struct Key {
  enum class Kind : std::uint8_t {
    host,
    invitation,   // can be used once; grants a key to a device
    device,
    watch,   // grants the view of a spectator to any device
  };
  Digest hash{};
  std::int64_t table = 0;
  Kind kind = Kind::device;
  std::uint64_t seats = 0;   // mask of the seats that it controls
  std::optional<Digest> from;   // for a device key: the invitation that granted it
  bool used = false;   // for an invitation: a device has received its key
  bool revoked = false;
};

// Returns a new key, as 22 characters of base64url.
std::string fresh_key();
// Returns the link that contains a key: "http://127.0.0.1:7654/#k=…".
inline std::string link_of(const std::string& origin, const std::string& key) { return origin + "/#k=" + key; }
Digest hash_of_key(std::string_view key);
// Compares in constant time, to prevent timing attacks.
bool equal_in_constant_time(const Digest& a, const Digest& b);
std::uint64_t random_bits();

// All keys of all tables. Thread-safe.
class Keys {
 public:
  // Adds or replaces a key.
  void put(const Key& key);
  // Finds a key by its hash, even if the key is revoked. Returns nullopt for an unknown key.
  std::optional<Key> find(const Digest& hash) const;
  std::vector<Key> of_table(std::int64_t table) const;
  void forget_table(std::int64_t table);

 private:
  mutable std::mutex mutex_;
  std::multimap<std::uint64_t, Key> all_;   // by the first half of the hash; the rest is compared in constant time
};

}   // namespace cardwright::server
