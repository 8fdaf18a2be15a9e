// Keys: whoever has one may do what it stands for. 128 random bits in the part of a link behind `#`, which browsers
// send to nobody; here only their hashes are kept, so that who reads the database can't sit down at a table.
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
    invitation,   // works once, and gives a device's own key
    device,
    watch,   // for all who may look on
  };
  Digest hash{};
  std::int64_t table = 0;
  Kind kind = Kind::device;
  std::uint64_t seats = 0;   // mask of the seats whose answers it gives
  std::optional<Digest> from;   // of a device's: the invitation that gave it
  bool used = false;   // of an invitation: the device has the key that it gave
  bool revoked = false;
};

// 22 characters of base64url.
std::string fresh_key();
// "http://127.0.0.1:7654/#k=…"
inline std::string link_of(const std::string& origin, const std::string& key) { return origin + "/#k=" + key; }
Digest hash_of_key(std::string_view key);
// Takes as long wherever they differ.
bool equal_in_constant_time(const Digest& a, const Digest& b);
std::uint64_t random_bits();

// All keys of all tables. From any thread.
class Keys {
 public:
  // Those that were there before are replaced.
  void put(const Key& key);
  // Nothing for one that is not known; one that was revoked is.
  std::optional<Key> find(const Digest& hash) const;
  std::vector<Key> of_table(std::int64_t table) const;
  void forget_table(std::int64_t table);

 private:
  mutable std::mutex mutex_;
  std::multimap<std::uint64_t, Key> all_;   // by the first half of the hash; the rest is compared in constant time
};

}   // namespace cardwright::server
