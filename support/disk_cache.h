// Files that spare us work when the same is wanted again: $CARDWRIGHT_CACHE, else $XDG_CACHE_HOME/cardwright, else
// ~/.cache/cardwright. `off` there keeps none. CARDWRIGHT_CACHE_LOG=1 says on standard error what is taken and what
// refused.
//
// Machine code comes from here, so the folder and its files must be ours, and nobody else may write to them. A file is
// read whole and its digest compared before it is used: one that was cut short or changed is as good as none, and is
// replaced. The digest has no key, so whoever may write as this user can forge it; they could do as they like anyway.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "support/digest.h"

namespace cardwright {

class DiskCache {
 public:
  // Nothing where there is none, or where it can't be trusted.
  static std::optional<DiskCache> open();
  DiskCache(DiskCache&& other) noexcept : folder_(other.folder_) { other.folder_ = -1; }
  DiskCache& operator=(DiskCache&& other) noexcept {
    std::swap(folder_, other.folder_);
    return *this;
  }
  ~DiskCache();

  // `kind` is the ending of the file's name.
  std::optional<std::string> load(std::string_view kind, const Digest& key) const;
  // Another process that stores or loads the same meanwhile is not disturbed. What can't be written isn't.
  void store(std::string_view kind, const Digest& key, std::string_view bytes) const;
  void remove(std::string_view kind, const Digest& key) const;

  static constexpr std::size_t kMostBytes = std::size_t{256} << 20;   // of all files; those longest unused go first
  void prune(std::size_t most = kMostBytes) const;

 private:
  explicit DiskCache(int folder) : folder_(folder) {}
  int folder_;
};

// Says one line if CARDWRIGHT_CACHE_LOG is set.
void say_of_cache(std::string_view what, std::string_view which);

// Identifies the program or library in which the address lies, by the digest that the linker put in. Empty if there is
// none.
std::string build_id_of(const void* address);

}   // namespace cardwright
