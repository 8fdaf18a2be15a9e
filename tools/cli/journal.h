// Reads and writes the journal of one game: a text file to which every choice is appended and synced to disk before it
// is made, so that nothing is lost if the program is killed. Its lines:
//
//   cardwright journal 1
//   game splash                         name or absolute path
//   players 5
//   option snorkel=icon20               one line each
//   times 3                             the time factor, unless it is 1
//   seat a                              the seats of people; several at one keyboard: ac
//   seed 7
//   fingerprint 0123456789abcdef        hash of rules, players, options and version
//   begin 1a2b3c4d
//   17 5e6f7a8b                         option 17 was chosen
//   back 3 9c0d1e2f                     undo: only the first 3 choices remain
//   clock 1300000 2b3c4d5e              in a race: microseconds since the race was opened
//   acts a 3c4d5e6f                     this player acts in a race, or answers a simultaneous question, with the
//                                       option on the next line
//   reseed 8 4d5e6f70                   chance is reseeded with this number
//
// The last word of each line is a checksum over the line and all lines before it. A last line without its checksum was
// being written when the program was killed, and is dropped. Any other damage is rejected.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace cardwright::cli {

inline constexpr std::int64_t kMostSeed = std::int64_t{1} << 53;   // limit for the number of a reseed

struct JournalHeader {
  std::string game;
  int players = 0;
  std::vector<std::pair<std::string, std::string>> options;
  std::vector<int> seats;
  std::uint64_t seed = 0;
  std::uint64_t fingerprint = 0;
  int time_factor = 1;
};

// Choices are option ids; negative values encode the clock, the acting player and reseeds.
inline std::int64_t clock_choice(std::int64_t time) { return -(time * 64 + 63) - 1; }
inline std::int64_t reseed_choice(std::int64_t seed) { return -(seed * 64 + 62) - 1; }
inline std::int64_t acts_choice(int player) { return -std::int64_t{player} - 1; }
inline bool is_clock(std::int64_t choice) { return choice < 0 && (-choice - 1) % 64 == 63; }
inline bool is_reseed(std::int64_t choice) { return choice < 0 && (-choice - 1) % 64 == 62; }
// Returns the time of a clock choice, or the number of a reseed.
inline std::int64_t time_of(std::int64_t choice) { return (-choice - 1) / 64; }
inline int player_of(std::int64_t choice) { return static_cast<int>(-choice - 1); }

struct JournalContents {
  JournalHeader header;
  std::vector<std::int64_t> choices;   // the choices that remain after undo
  bool torn = false;   // an incomplete last line was dropped
};

class Journal {
 public:
  Journal() = default;   // not open; writes nothing
  ~Journal();
  Journal(Journal&& other) noexcept { *this = std::move(other); }
  Journal& operator=(Journal&& other) noexcept;

  // Creates a new file. Throws api::Error(internal) on I/O errors, and Error(caller) if `path` already exists.
  static Journal create(const std::string& path, const JournalHeader& header);
  // Reads a file and appends to it. Throws api::Error(caller) if it is not a journal, is damaged or is in use.
  static std::pair<Journal, JournalContents> open(const std::string& path);
  // Returns ~/.local/state/cardwright/NAME-TIME.journal, or a path below XDG_STATE_HOME, and creates the folder.
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
