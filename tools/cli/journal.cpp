// Reads, writes and verifies journals.
#include "tools/cli/journal.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include <fmt/format.h>

#include "cardwright/cardwright.hpp"

namespace cardwright::cli {

namespace {

using api::Blame;
using api::Error;

constexpr off_t kMostBytes = 1 << 28;
constexpr std::string_view kFirstLine = "cardwright journal 1";

// Continues the FNV-1a checksum of all previous lines with this line.
std::uint32_t checksum(std::uint32_t before, std::string_view line) {
  std::uint32_t sum = before ^ 2166136261u;
  for (const char c : line) sum = (sum ^ static_cast<unsigned char>(c)) * 16777619u;
  return sum;
}

[[noreturn]] void refuse(const std::string& path, std::size_t line, std::string_view why) {
  throw Error(Blame::caller, fmt::format("{}:{}: {}; cannot resume this journal", path, line, why));
}

[[noreturn]] void failed(const std::string& path, std::string_view what) {
  throw Error(Blame::internal, fmt::format("cannot {} {}: {}", what, path, std::strerror(errno)));
}

void write_all(int descriptor, std::string_view text, const std::string& path) {
  while (!text.empty()) {
    const ssize_t written = write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) failed(path, "write to");
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void lock(int descriptor, const std::string& path) {
  if (flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    throw Error(Blame::caller, fmt::format("{} is in use by another process", path));
}

// Rejects devices and pipes, which may never end.
void need_journal(int descriptor, const std::string& path) {
  struct stat found {};
  if (fstat(descriptor, &found) != 0 || !S_ISREG(found.st_mode))
    throw Error(Blame::caller, fmt::format("{} is not a Cardwright journal", path));
  if (found.st_size > kMostBytes)
    throw Error(Blame::caller, fmt::format("{} is too large for a Cardwright journal", path));
}

template <class Number>
bool read_number(std::string_view text, Number& value, int base = 10) {
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return wrong == std::errc{} && end == text.data() + text.size() && !text.empty();
}

// Verifies the checksum of a line and removes it.
std::string_view checked(std::string_view line, std::uint32_t& sum, const std::string& path, std::size_t number) {
  const auto blank = line.rfind(' ');
  std::uint32_t expected = 0;
  if (blank == std::string_view::npos || !read_number(line.substr(blank + 1), expected, 16))
    refuse(path, number, "invalid journal line");
  line = line.substr(0, blank);
  sum = checksum(sum, line);
  if (sum != expected) refuse(path, number, "wrong checksum: the file was edited or damaged");
  return line;
}

bool read_header_line(std::string_view line, JournalHeader& header) {
  const auto blank = line.find(' ');
  if (blank == std::string_view::npos) return false;
  const std::string_view key = line.substr(0, blank), value = line.substr(blank + 1);
  if (key == "game")
    header.game = value;
  else if (key == "players")
    return read_number(value, header.players);
  else if (key == "seed")
    return read_number(value, header.seed);
  else if (key == "times")
    return read_number(value, header.time_factor) && header.time_factor >= 1 && header.time_factor <= 1000;
  else if (key == "fingerprint")
    return read_number(value, header.fingerprint, 16);
  else if (key == "seat")
    for (const char c : value) header.seats.push_back(c - 'a');
  else if (key == "option") {
    const auto equals = value.find('=');
    if (equals == std::string_view::npos) return false;
    header.options.emplace_back(value.substr(0, equals), value.substr(equals + 1));
  } else
    return false;
  return true;
}

std::string header_text(const JournalHeader& h) {
  std::string text = fmt::format("{}\ngame {}\nplayers {}\n", kFirstLine, h.game, h.players);
  for (const auto& [name, value] : h.options) text += fmt::format("option {}={}\n", name, value);
  std::string seats;
  for (const int seat : h.seats) seats += static_cast<char>('a' + seat);
  if (h.time_factor != 1) text += fmt::format("times {}\n", h.time_factor);
  return text + fmt::format("seat {}\nseed {}\nfingerprint {:016x}\n", seats, h.seed, h.fingerprint);
}

}   // namespace

Journal::~Journal() {
  if (descriptor_ >= 0) close(descriptor_);
}

Journal& Journal::operator=(Journal&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(sum_, other.sum_);
  return *this;
}

std::string Journal::standard_path(const std::string& game) {
  namespace fs = std::filesystem;
  const char* state = std::getenv("XDG_STATE_HOME");
  const char* home = std::getenv("HOME");
  if (!(state && *state) && !(home && *home)) throw Error(Blame::internal, "cannot store the journal: HOME is not set");
  const fs::path folder = (state && *state ? fs::path(state) : fs::path(home) / ".local" / "state") / "cardwright";
  std::error_code wrong;
  fs::create_directories(folder, wrong);
  if (wrong) throw Error(Blame::internal, fmt::format("cannot create {}: {}", folder.string(), wrong.message()));
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  char time[32];
  std::strftime(time, sizeof time, "%Y-%m-%d-%H%M%S", &local);
  return (folder / fmt::format("{}-{}-{}.journal", game, time, getpid())).string();
}

Journal Journal::create(const std::string& path, const JournalHeader& header) {
  Journal journal;
  journal.path_ = path;
  journal.descriptor_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0644);
  if (journal.descriptor_ < 0 && errno == EEXIST)
    throw Error(Blame::caller, std::filesystem::is_directory(path)
                                   ? fmt::format("{} is a folder", path)
                                   : fmt::format("{} already exists; `--resume {}` continues it", path, path));
  if (journal.descriptor_ < 0)
    throw Error(Blame::caller, fmt::format("cannot create {}: {}", path, std::strerror(errno)));
  lock(journal.descriptor_, path);
  const std::string text = header_text(header);
  write_all(journal.descriptor_, text, path);
  journal.sum_ = checksum(0, text);
  journal.add("begin");
  return journal;
}

std::pair<Journal, JournalContents> Journal::open(const std::string& path) {
  Journal journal;
  JournalContents contents;
  journal.path_ = path;
  journal.descriptor_ = ::open(path.c_str(), O_RDWR | O_APPEND | O_CLOEXEC | O_NONBLOCK);
  if (journal.descriptor_ < 0)
    throw Error(Blame::caller, fmt::format("cannot open {}: {}", path, std::strerror(errno)));
  need_journal(journal.descriptor_, path);
  lock(journal.descriptor_, path);
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!text.starts_with(kFirstLine)) throw Error(Blame::caller, fmt::format("{} is not a Cardwright journal", path));

  const auto end_of_lines = text.rfind('\n');
  const std::size_t whole = end_of_lines == std::string::npos ? 0 : end_of_lines + 1;
  if (whole < text.size()) {
    contents.torn = true;
    if (ftruncate(journal.descriptor_, static_cast<off_t>(whole)) != 0) failed(path, "mend");
    text.resize(whole);
  }

  std::size_t number = 0, at = 0;
  bool after_header = false;
  while (at < text.size()) {
    const auto end = text.find('\n', at);
    std::string_view line(text.data() + at, end - at);
    ++number;
    if (!after_header && line.starts_with("begin ")) {
      journal.sum_ = checksum(0, std::string_view(text).substr(0, at));
      checked(line, journal.sum_, path, number);
      after_header = true;
    } else if (!after_header) {
      if (number == 1 ? line != kFirstLine : !read_header_line(line, contents.header))
        refuse(path, number, "invalid journal line");
    } else {
      line = checked(line, journal.sum_, path, number);
      std::int64_t id = 0;
      std::size_t left = 0;
      if (line.starts_with("back ") && read_number(line.substr(5), left) && left <= contents.choices.size())
        contents.choices.resize(left);
      else if (line.starts_with("clock ") && read_number(line.substr(6), id) && id >= 0)
        contents.choices.push_back(clock_choice(id));
      else if (line.starts_with("reseed ") && read_number(line.substr(7), id) && id >= 0 && id < kMostSeed)
        contents.choices.push_back(reseed_choice(id));
      else if (line.starts_with("acts ") && line.size() == 6 && line[5] >= 'a' && line[5] <= 'p')
        contents.choices.push_back(acts_choice(line[5] - 'a'));
      else if (read_number(line, id) && id >= 0)
        contents.choices.push_back(id);
      else
        refuse(path, number, "invalid choice");
    }
    at = end + 1;
  }
  const JournalHeader& header = contents.header;
  const bool seated = !header.seats.empty() && std::all_of(header.seats.begin(), header.seats.end(), [&](int seat) {
    return seat >= 0 && seat < header.players;
  });
  if (!after_header || header.players < 1 || !seated) refuse(path, number, "incomplete header");
  return {std::move(journal), std::move(contents)};
}

void Journal::choose(std::int64_t id) {
  if (is_clock(id))
    add(fmt::format("clock {}", time_of(id)));
  else if (is_reseed(id))
    add(fmt::format("reseed {}", time_of(id)));
  else if (id < 0)
    add(fmt::format("acts {}", api::Game::seat_name(player_of(id))));
  else
    add(fmt::format("{}", id));
}
void Journal::back(std::size_t choices) { add(fmt::format("back {}", choices)); }

void Journal::add(const std::string& line) {
  if (descriptor_ < 0) return;
  sum_ = checksum(sum_, line);
  write_all(descriptor_, fmt::format("{} {:08x}\n", line, sum_), path_);
  if (fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS) failed(path_, "save");
}

void Journal::copy_to(const std::string& path) const {
  const int out = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (out < 0 && errno == EEXIST) throw Error(Blame::caller, fmt::format("{} already exists", path));
  if (out < 0) throw Error(Blame::caller, fmt::format("cannot create {}: {}", path, std::strerror(errno)));
  std::ifstream file(path_, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  write_all(out, text, path);
  fsync(out);
  close(out);
}

}   // namespace cardwright::cli
