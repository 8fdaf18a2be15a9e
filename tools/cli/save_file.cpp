// Creates, locks, appends to and syncs the file of a saved game.
#include "tools/cli/save_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>

#include <fmt/format.h>

#include "cardwright/parts.hpp"

namespace cardwright::cli {

namespace {

using api::Blame;
using api::Error;

constexpr off_t kMostBytes = 1 << 28;

[[noreturn]] void failed(const std::string& path, std::string_view what) {
  throw Error(Blame::internal, fmt::format("cannot {} {}: {}", what, path, std::strerror(errno)));
}

void write_at(int descriptor, std::string_view text, off_t at, const std::string& path) {
  while (!text.empty()) {
    const ssize_t written = pwrite(descriptor, text.data(), text.size(), at);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) failed(path, "write to");
    text.remove_prefix(static_cast<std::size_t>(written));
    at += written;
  }
}

void lock(int descriptor, const std::string& path) {
  if (flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    throw Error(Blame::caller, fmt::format("{} is in use by another process", path));
}

// Rejects devices and pipes, which may never end, and files that are too large.
void need_file(int descriptor, const std::string& path) {
  struct stat found {};
  if (fstat(descriptor, &found) != 0 || !S_ISREG(found.st_mode))
    throw Error(Blame::caller, fmt::format("{} is not a saved Cardwright game", path));
  if (found.st_size > kMostBytes)
    throw Error(Blame::caller, fmt::format("{} is too large for a saved Cardwright game", path));
}

api::SavedGame read_saved(const std::string& path, const std::string& text) {
  try {
    return api::read_saved_game(text);
  } catch (const Error& error) {
    throw Error(error.blame(), fmt::format("{}: {}", path, error.what()));
  }
}

int create_file(const std::string& path, std::string_view hint) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (descriptor < 0 && errno == EEXIST)
    throw Error(Blame::caller, std::filesystem::is_directory(path) ? fmt::format("{} is a folder", path)
                                                                   : fmt::format("{} already exists{}", path, hint));
  if (descriptor < 0) throw Error(Blame::caller, fmt::format("cannot create {}: {}", path, std::strerror(errno)));
  return descriptor;
}

}   // namespace

SaveFile::~SaveFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

SaveFile& SaveFile::operator=(SaveFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(end_, other.end_);
  return *this;
}

std::string SaveFile::standard_path(const std::string& game) {
  namespace fs = std::filesystem;
  const char* state = std::getenv("XDG_STATE_HOME");
  const char* home = std::getenv("HOME");
  if (!(state && *state) && !(home && *home)) throw Error(Blame::internal, "cannot save the game: HOME is not set");
  const fs::path folder = (state && *state ? fs::path(state) : fs::path(home) / ".local" / "state") / "cardwright";
  std::error_code wrong;
  fs::create_directories(folder, wrong);
  if (wrong) throw Error(Blame::internal, fmt::format("cannot create {}: {}", folder.string(), wrong.message()));
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  char time[32];
  std::strftime(time, sizeof time, "%Y-%m-%d-%H%M%S", &local);
  return (folder / fmt::format("{}-{}-{}.json", game, time, getpid())).string();
}

SaveFile SaveFile::create(const std::string& path, const api::SavedGame& saved) {
  SaveFile file;
  file.path_ = path;
  file.descriptor_ = create_file(path, fmt::format("; `--resume {}` continues it", path));
  lock(file.descriptor_, path);
  const std::string text = api::saved_text(saved);
  write_at(file.descriptor_, text, 0, path);
  file.end_ = static_cast<std::int64_t>(text.size() - api::kSavedEnd.size());
  file.sync();
  return file;
}

std::pair<SaveFile, api::SavedGame> SaveFile::open(const std::string& path) {
  SaveFile file;
  file.path_ = path;
  file.descriptor_ = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK);
  if (file.descriptor_ < 0 && (errno == EACCES || errno == EROFS))   // a file saved by a page is only read
    file.descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file.descriptor_ < 0) throw Error(Blame::caller, fmt::format("cannot open {}: {}", path, std::strerror(errno)));
  need_file(file.descriptor_, path);
  lock(file.descriptor_, path);
  std::string text = api::read_whole(path);
  api::SavedGame saved = read_saved(path, text);
  if (saved.source != api::SavedGame::Source::terminal) return {SaveFile(), std::move(saved)};
  if (saved.torn || !text.ends_with(api::kSavedEnd)) {
    text = api::saved_text(saved);
    write_at(file.descriptor_, text, 0, path);
    if (ftruncate(file.descriptor_, static_cast<off_t>(text.size())) != 0) failed(path, "mend");
  }
  file.end_ = static_cast<std::int64_t>(text.size() - api::kSavedEnd.size());
  return {std::move(file), std::move(saved)};
}

void SaveFile::add(std::span<const api::TableEntry> entries) {
  if (descriptor_ < 0 || entries.empty()) return;
  const std::string text = api::appended_text(entries);
  write_at(descriptor_, text, end_, path_);
  end_ += static_cast<std::int64_t>(text.size() - api::kSavedEnd.size());
  sync();
}

void SaveFile::sync() const {
  if (fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS) failed(path_, "save");
}

void SaveFile::copy_to(const std::string& path) const {
  const int out = create_file(path, "");
  write_at(out, api::read_whole(path_), 0, path);
  fsync(out);
  close(out);
}

}   // namespace cardwright::cli
