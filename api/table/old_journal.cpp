// Reads the lines of an old journal, checks their checksums, and converts the entries.
#include "api/table/old_journal.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "api/table/history.h"

namespace cardwright::table {

using api::Blame;
using api::SavedGame;
using api::TableEntry;
using Kind = api::TableEntry::Kind;

namespace {

constexpr std::string_view kFirstLine = "cardwright journal 1\n";
constexpr std::int64_t kMostSeed = std::int64_t{1} << 53;

// Continues the FNV-1a checksum of all previous lines with this line.
std::uint32_t checksum(std::uint32_t before, std::string_view line) {
  std::uint32_t sum = before ^ 2166136261u;
  for (const char c : line) sum = (sum ^ static_cast<unsigned char>(c)) * 16777619u;
  return sum;
}

template <class Number>
bool read_number(std::string_view text, Number& value, int base = 10) {
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return wrong == std::errc{} && end == text.data() + text.size() && !text.empty();
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text.substr(0, text.rfind('\n') + 1)) {
    saved_.source = SavedGame::Source::old_journal;
    saved_.torn = text_.size() < text.size();
  }

  SavedGame read() {
    read_header();
    while (at_ < text_.size()) read_entry(checked(next_line()));
    return std::move(saved_);
  }

 private:
  [[noreturn]] void refuse(std::string_view why) {
    raise(Blame::caller, fmt::format("line {}: {}; cannot resume this journal", number_, why));
  }

  std::string_view next_line() {
    const std::size_t begin = at_;
    at_ = text_.find('\n', begin) + 1;
    ++number_;
    return text_.substr(begin, at_ - 1 - begin);
  }

  // Verifies the checksum of a line and removes it.
  std::string_view checked(std::string_view line) {
    const auto blank = line.rfind(' ');
    std::uint32_t expected = 0;
    if (blank == std::string_view::npos || !read_number(line.substr(blank + 1), expected, 16))
      refuse("invalid journal line");
    line = line.substr(0, blank);
    sum_ = checksum(sum_, line);
    if (sum_ != expected) refuse("wrong checksum: the file was edited or damaged");
    return line;
  }

  void read_header() {
    next_line();
    while (at_ < text_.size()) {
      const std::size_t begin = at_;
      const std::string_view line = next_line();
      if (line.starts_with("begin ")) {
        sum_ = checksum(0, text_.substr(0, begin));
        checked(line);
        const auto is_seat = [&](int seat) { return seat >= 0 && seat < saved_.configuration.players; };
        if (saved_.people.empty() || !std::all_of(saved_.people.begin(), saved_.people.end(), is_seat)) break;
        return;
      }
      if (!read_header_line(line)) refuse("invalid journal line");
    }
    refuse("incomplete header");
  }

  bool read_header_line(std::string_view line) {
    const auto blank = line.find(' ');
    if (blank == std::string_view::npos) return false;
    const std::string_view key = line.substr(0, blank), value = line.substr(blank + 1);
    if (key == "players") return read_number(value, saved_.configuration.players);
    if (key == "seed") return read_number(value, saved_.seed);
    if (key == "fingerprint") return read_number(value, saved_.fingerprint, 16);
    if (key == "times")
      return read_number(value, saved_.time_factor) && saved_.time_factor >= 1 && saved_.time_factor <= 1000;
    const auto equals = value.find('=');
    if (key == "game")
      saved_.game = value;
    else if (key == "seat")
      for (const char c : value) saved_.people.push_back(c - 'a');
    else if (key == "option" && equals != std::string_view::npos)
      saved_.configuration.options.emplace_back(value.substr(0, equals), value.substr(equals + 1));
    else
      return false;
    return true;
  }

  void read_entry(std::string_view line) {
    std::vector<TableEntry>& journal = saved_.journal;
    std::int64_t id = 0;
    std::size_t left = 0;
    if (line.starts_with("back ") && read_number(line.substr(5), left) && left <= journal.size())
      journal.resize(left);
    else if (line.starts_with("clock ") && read_number(line.substr(6), id) && id >= 0)
      journal.push_back({Kind::clock, -1, id, {}});
    else if (line.starts_with("reseed ") && read_number(line.substr(7), id) && id >= 0 && id < kMostSeed)
      journal.push_back({Kind::reseed, -1, id, {}});
    else if (line.starts_with("acts ") && line.size() == 6 && line[5] >= 'a' &&
             line[5] < 'a' + saved_.configuration.players)
      journal.push_back({Kind::arrive, line[5] - 'a', 0, {}});
    else if (read_number(line, id) && id >= 0)
      journal.push_back({Kind::choose, -1, id, {}});
    else
      refuse("invalid choice");
  }

  std::string_view text_;
  SavedGame saved_;
  std::size_t at_ = 0, number_ = 0;
  std::uint32_t sum_ = 0;
};

}   // namespace

bool is_old_journal(std::string_view text) { return text.starts_with(kFirstLine); }

SavedGame read_old_journal(std::string_view text) { return Reader(text).read(); }

std::vector<TableEntry> converted(const SavedGame& old, const api::Game& game) {
  History history(game, old.seed, old.time_factor);
  const bool one = old.people.size() == 1;   // with several people at one keyboard, no seat was live in races
  history.add({Kind::begin, -1, one ? std::int64_t{1} << old.people[0] : 0, {}});
  std::optional<int> acting;
  for (std::size_t i = 0; i < old.journal.size(); ++i) {
    TableEntry entry = old.journal[i];
    try {
      const api::State& state = history.state();
      if (entry.kind == Kind::arrive) {
        acting = entry.seat;
        if (!state.waits_for_clock()) continue;
      } else if (entry.kind == Kind::choose) {
        entry.seat = acting ? *acting : state.is_over() ? -1 : state.actor();
        entry.name = entry.id < game.option_ids() ? lasting_name(game, entry.id) : "";
        acting.reset();
      }
      history.add(std::move(entry));
    } catch (const api::Error& error) {
      raise(Blame::caller,
            fmt::format("line {} of the journal after `begin` is not possible in this game: {}", i + 1, error.what()));
    }
  }
  return history.entries();
}

}   // namespace cardwright::table
