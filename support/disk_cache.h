// Implements a cache on disk. Its folder is $CARDWRIGHT_CACHE if that variable is set, otherwise
// $XDG_CACHE_HOME/cardwright, otherwise ~/.cache/cardwright. CARDWRIGHT_CACHE=off disables it. CARDWRIGHT_CACHE_LOG=1
// logs hits, writes and rejected files to standard error.
//
// The cache contains machine code, so the folder and its files must belong to the user, and no other user may be able
// to write to them. A file is read completely and its digest is checked before use; a truncated or modified file is
// ignored and replaced. The digest has no key, so a process of the same user can forge it, but such a process could do
// the same harm without the cache.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "support/digest.h"

namespace cardwright {

class DiskCache {
 public:
  // Returns nullopt if there is no cache folder or if other users can write to it.
  static std::optional<DiskCache> open();
  DiskCache(DiskCache&& other) noexcept : folder_(other.folder_) { other.folder_ = -1; }
  DiskCache& operator=(DiskCache&& other) noexcept {
    std::swap(folder_, other.folder_);
    return *this;
  }
  ~DiskCache();

  // `kind` is the extension of the file name.
  std::optional<std::string> load(std::string_view kind, const Digest& key) const;
  // Safe if other processes store or load the same entry. Write errors are only logged.
  void store(std::string_view kind, const Digest& key, std::string_view bytes) const;
  void remove(std::string_view kind, const Digest& key) const;

  // Maximum total size of all files. If it is exceeded, the least recently used files are deleted first.
  static constexpr std::size_t kMostBytes = std::size_t{256} << 20;
  void prune(std::size_t most = kMostBytes) const;

 private:
  explicit DiskCache(int folder) : folder_(folder) {}
  int folder_;
};

// Writes one line to standard error if CARDWRIGHT_CACHE_LOG is set.
void warn_of_cache(std::string_view what, std::string_view which);

// Returns the build ID that the linker stored in the program or library that contains the address, or an empty string.
std::string build_id_of(const void* address);

}   // namespace cardwright
