// Implements the disk cache. A file consists of a header and the contents. The header contains a magic number, the key,
// the length of the contents, and a digest of the preceding fields and of the contents.
#include "support/disk_cache.h"

#include <dirent.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <vector>

namespace cardwright {

namespace fs = std::filesystem;

namespace {

constexpr char kMagic[16] = "cardwright 1\n\r\x1a";
constexpr std::size_t kHeader = sizeof kMagic + sizeof(Digest) + 8 + sizeof(Digest);
constexpr std::size_t kMostInFile = std::size_t{64} << 20;

struct File {
  int fd;
  explicit File(int fd) : fd(fd) {}
  ~File() {
    if (fd >= 0) close(fd);
  }
  File(const File&) = delete;
};

bool only_we_write(const struct stat& file) {
  return file.st_uid == geteuid() && (file.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

fs::path wanted_folder() {
  if (const char* setting = std::getenv("CARDWRIGHT_CACHE"); setting && *setting)
    return std::string_view(setting) == "off" ? fs::path() : fs::path(setting);
  if (const char* caches = std::getenv("XDG_CACHE_HOME"); caches && *caches == '/')
    return fs::path(caches) / "cardwright";
  if (const char* home = std::getenv("HOME"); home && *home == '/') return fs::path(home) / ".cache" / "cardwright";
  return {};
}

std::string name_of(std::string_view kind, const Digest& key) { return hex(key) + "." + std::string(kind); }

std::string header_of(const Digest& key, std::string_view bytes) {
  std::string header(kMagic, sizeof kMagic);
  header += as_bytes(key);
  const std::uint64_t size = bytes.size();
  header.append(reinterpret_cast<const char*>(&size), sizeof size);
  const Digest contents = digest_of(bytes);
  header += as_bytes(digest_of(header + std::string(as_bytes(contents))));
  return header;
}

bool read_all(int fd, char* to, std::size_t size) {
  while (size > 0) {
    const ssize_t n = read(fd, to, size);
    if (n <= 0) return false;
    to += n;
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = write(fd, bytes.data(), bytes.size());
    if (n <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

}   // namespace

std::optional<DiskCache> DiskCache::open() {
  const fs::path path = wanted_folder();
  if (path.empty()) return std::nullopt;
  std::error_code none;
  fs::create_directories(path.parent_path(), none);
  mkdir(path.c_str(), 0700);   // usually exists already
  DiskCache cache(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  struct stat folder;
  if (cache.folder_ < 0 || fstat(cache.folder_, &folder) != 0) {
    warn_of_cache("folder not found", path.string());
    return std::nullopt;
  }
  if (only_we_write(folder)) return cache;
  warn_of_cache("not used, because other users can write to the folder", path.string());
  return std::nullopt;
}

DiskCache::~DiskCache() {
  if (folder_ >= 0) close(folder_);
}

std::optional<std::string> DiskCache::load(std::string_view kind, const Digest& key) const {
  const std::string name = name_of(kind, key);
  const File file(openat(folder_, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat found;
  if (file.fd < 0 || fstat(file.fd, &found) != 0) return std::nullopt;
  const auto refuse = [&](const char* why) {
    warn_of_cache(why, name);
    return std::nullopt;
  };
  if (!S_ISREG(found.st_mode) || !only_we_write(found)) return refuse("rejected: other users can write to the file");
  const auto size = static_cast<std::size_t>(found.st_size);
  if (size < kHeader || size > kHeader + kMostInFile) return refuse("rejected: wrong size");
  std::string header(kHeader, '\0'), bytes(size - kHeader, '\0');
  if (!read_all(file.fd, header.data(), header.size()) || !read_all(file.fd, bytes.data(), bytes.size()))
    return refuse("read error");
  if (header != header_of(key, bytes)) return refuse("rejected: corrupt");
  futimens(file.fd, nullptr);   // marks it as recently used
  warn_of_cache("hit", name);
  return bytes;
}

void DiskCache::store(std::string_view kind, const Digest& key, std::string_view bytes) const {
  if (bytes.size() > kMostInFile) return;
  static std::atomic<unsigned> count{0};
  const std::string name = name_of(kind, key);
  const std::string temporary = "new-" + std::to_string(getpid()) + "-" +
                                std::to_string(reinterpret_cast<std::uintptr_t>(&count)) + "-" +
                                std::to_string(count++);
  bool written = false;
  {
    const File file(openat(folder_, temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (file.fd < 0) return warn_of_cache("write error", name);
    written = write_all(file.fd, header_of(key, bytes)) && write_all(file.fd, bytes);
  }
  if (!written || renameat(folder_, temporary.c_str(), folder_, name.c_str()) != 0) {
    unlinkat(folder_, temporary.c_str(), 0);
    return warn_of_cache("write error", name);
  }
  warn_of_cache("written", name);
  static std::atomic<bool> pruned{false};
  if (!pruned.exchange(true)) prune();
}

void DiskCache::remove(std::string_view kind, const Digest& key) const {
  unlinkat(folder_, name_of(kind, key).c_str(), 0);
}

void DiskCache::prune(std::size_t most) const {
  struct Entry {
    std::string name;
    std::size_t size;
    timespec used;
  };
  std::vector<Entry> entries;
  std::size_t all = 0;
  DIR* folder = fdopendir(openat(folder_, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder) return;
  while (const dirent* entry = readdir(folder)) {
    struct stat file;
    if (fstatat(folder_, entry->d_name, &file, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(file.st_mode)) continue;
    const std::string_view name = entry->d_name;
    // Delete files that a process left behind when it died while writing.
    if (name.starts_with("new-") && file.st_mtim.tv_sec + 3600 < std::time(nullptr))
      unlinkat(folder_, entry->d_name, 0);
    const auto dot = name.find('.');
    if (dot != 2 * sizeof(Digest)) continue;   // not a cache file
    entries.push_back({entry->d_name, static_cast<std::size_t>(file.st_size), file.st_mtim});
    all += entries.back().size;
  }
  closedir(folder);
  if (all <= most) return;
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::pair(a.used.tv_sec, a.used.tv_nsec) < std::pair(b.used.tv_sec, b.used.tv_nsec);
  });
  for (const Entry& entry : entries) {
    if (all <= most / 4 * 3) return;
    if (unlinkat(folder_, entry.name.c_str(), 0) == 0) all -= entry.size;
  }
}

void warn_of_cache(std::string_view what, std::string_view which) {
  if (std::getenv("CARDWRIGHT_CACHE_LOG"))
    std::fprintf(stderr, "cache: %.*s: %.*s\n", static_cast<int>(which.size()), which.data(),
                 static_cast<int>(what.size()), what.data());
}

// ---- build ids

namespace {

struct BuildIdSearch {
  std::uintptr_t address;
  std::string id;
};

std::string id_in_notes(const char* at, std::size_t size) {
  const auto padded = [](std::size_t n) { return (n + 3) & ~std::size_t{3}; };
  while (size >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    std::memcpy(&note, at, sizeof note);
    const std::size_t whole = sizeof note + padded(note.n_namesz) + padded(note.n_descsz);
    if (whole > size) return {};
    const char* name = at + sizeof note;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0)
      return {name + 4, note.n_descsz};
    at += whole;
    size -= whole;
  }
  return {};
}

int look(dl_phdr_info* object, std::size_t, void* data) {
  BuildIdSearch& search = *static_cast<BuildIdSearch*>(data);
  bool inside = false;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const auto& part = object->dlpi_phdr[i];
    const std::uintptr_t begin = object->dlpi_addr + part.p_vaddr;
    inside |= part.p_type == PT_LOAD && search.address >= begin && search.address < begin + part.p_memsz;
  }
  for (int i = 0; inside && search.id.empty() && i < object->dlpi_phnum; ++i) {
    const auto& part = object->dlpi_phdr[i];
    if (part.p_type == PT_NOTE)
      search.id = id_in_notes(reinterpret_cast<const char*>(object->dlpi_addr + part.p_vaddr), part.p_memsz);
  }
  return inside;
}

}   // namespace

std::string build_id_of(const void* address) {
  BuildIdSearch search{reinterpret_cast<std::uintptr_t>(address), {}};
  dl_iterate_phdr(look, &search);
  return search.id;
}

}   // namespace cardwright
