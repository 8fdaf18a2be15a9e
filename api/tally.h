// What is counted while games are played: one Tally per thread, added up at the end. Its size does not depend on the
// number of games.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "api/game_data.h"

namespace cardwright::api {

// Counts per value, exact up to 65,535 and in steps of 1,024 beyond.
class Histogram {
 public:
  void add(std::int64_t value);
  void add(const Histogram& other);
  Spread spread() const;

 private:
  static constexpr std::int64_t kExact = 65'536, kStep = 1'024;
  static std::size_t bin_of(std::int64_t value);
  static std::int64_t value_of(std::size_t bin);
  std::vector<std::uint64_t> bins_;
  std::int64_t least_ = 0, most_ = 0;
  std::uint64_t count_ = 0;
  std::int64_t sum_ = 0;
};

// What the races of a game came to, in microseconds. One that was open when the game ended counts, too.
struct RaceCourse {
  std::vector<Int> lengths;                    // at most RaceInfo::kLengths
  std::vector<std::uint64_t> timed_out;        // by window
  std::uint64_t races = 0;
  Int clock = 0;                               // all of them together
};
RaceCourse race_course(const Program& program, const Byte* state, bool failed);

class Tally {
 public:
  explicit Tally(const detail::GameData& game);
  // A finished game; `failure` if a rule ended it.
  void add(std::uint64_t index, const Byte* state, std::int64_t decisions, const Failure* failure);
  void add(const Tally& other);
  void report(Statistics& out) const;
  std::uint64_t games() const { return games_; }

 private:
  void add_race(const Byte* state, bool failed);
  struct Count {
    std::uint64_t games = 0, wins = 0;
  };
  const detail::GameData* game_;
  std::uint64_t games_ = 0, decisions_ = 0, digest_ = 0, without_winner_ = 0, failed_ = 0;
  Histogram turns_, lengths_, race_lengths_, race_totals_;   // the last two in milliseconds
  std::uint64_t races_ = 0;
  std::vector<std::uint64_t> landed_, late_;   // per seat and action of the races
  std::vector<std::uint64_t> timed_out_;       // by window
  std::vector<std::uint64_t> endings_;         // by Program::endings
  std::vector<std::vector<Count>> traits_;     // by statistics variable, then value
  std::vector<Count> seats_;
  std::map<std::string, FailureCount> failures_;
};

}  // namespace cardwright::api
