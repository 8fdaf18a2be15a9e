// The journal of one game: a text file to which every choice is added and forced to the disk before it is made, so that
// a killed program loses nothing. Lines:
//
//   cardwright journal 1
//   game splash                         name or absolute path
//   players 5
//   option snorkel=icon20               one line each
//   times 3                             the time factor, if it is not 1
//   seat a                              whose choices are a person's; several at one keyboard: ac
//   seed 7
//   fingerprint 0123456789abcdef        of rules, players, options and version
//   begin 1a2b3c4d
//   17 5e6f7a8b                         option 17 was chosen
//   back 3 9c0d1e2f                     taken back until 3 choices are left
//   clock 1300000 2b3c4d5e              in a race: so many microseconds after it was opened
//   acts a 3c4d5e6f                     … this player acts; the option follows. Where all answer at once: whose answer
//                                       follows
//   reseed 8 4d5e6f70                   chance goes on from this number
//
// The last word of a line is a checksum over it and all before it. A last line without its end is what a kill leaves:
// it is dropped. Anything else that doesn't fit is refused.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace cardwright::cli {

inline constexpr std::int64_t kMostSeed = std::int64_t{1} << 53;   // of a reseed

struct JournalHeader {
  std::string game;
  int players = 0;
  std::vector<std::pair<std::string, std::string>> options;
  std::vector<int> seats;
  std::uint64_t seed = 0;
  std::uint64_t fingerprint = 0;
  int time_factor = 1;
};

// Choices are option ids; below 0 they are what a race needs besides.
inline std::int64_t clock_choice(std::int64_t time) { return -(time * 64 + 63) - 1; }
inline std::int64_t reseed_choice(std::int64_t seed) { return -(seed * 64 + 62) - 1; }
inline std::int64_t acts_choice(int player) { return -std::int64_t{player} - 1; }
inline bool is_clock(std::int64_t choice) { return choice < 0 && (-choice - 1) % 64 == 63; }
inline bool is_reseed(std::int64_t choice) { return choice < 0 && (-choice - 1) % 64 == 62; }
// Of a clock, or the number of a reseed.
inline std::int64_t time_of(std::int64_t choice) { return (-choice - 1) / 64; }
inline int player_of(std::int64_t choice) { return static_cast<int>(-choice - 1); }

struct JournalContents {
  JournalHeader header;
  std::vector<std::int64_t> choices;   // those that stand, with `back` worked in
  bool torn = false;   // a torn last line was dropped
};

class Journal {
 public:
  Journal() = default;   // keeps nothing
  ~Journal();
  Journal(Journal&& other) noexcept { *this = std::move(other); }
  Journal& operator=(Journal&& other) noexcept;

  // Makes a new file. Throws api::Error(us) if it can't, and Error(caller) if `path` exists already.
  static Journal create(const std::string& path, const JournalHeader& header);
  // Reads a file and goes on writing to it. Throws api::Error(caller) when it is no journal, damaged or in use.
  static std::pair<Journal, JournalContents> open(const std::string& path);
  // ~/.local/state/cardwright/NAME-TIME.journal (or below XDG_STATE_HOME); makes the folder.
  static std::string standard_path(const std::string& game);

  void choose(std::int64_t id);
  void back(std::size_t choices);
  void copy_to(const std::string& path) const;
  bool is_open() const { return descriptor_ >= 0; }
  const std::string& path() const { return path_; }

 private:
  void add(const std::string& line);
  std::string path_;
  int descriptor_ = -1;
  std::uint32_t sum_ = 0;
};

}   // namespace cardwright::cli
