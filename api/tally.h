// What is counted while games are played: one Tally per thread, added up at the end. Its size does not depend on the
// number of games.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "api/game_data.h"

namespace cardwright::api {

// Counts per value, exact up to 65,535 and in steps of 1,024 beyond.
class Histogram {
 public:
  void add(std::int64_t value) {
    if (static_cast<std::uint64_t>(value) < exact_.size()) [[likely]] ++exact_[static_cast<std::size_t>(value)];
    else add_far(value);
  }
  void add(const Histogram& other);
  std::uint64_t count() const;
  std::int64_t sum() const;
  Spread spread() const;

 private:
  static constexpr std::int64_t kExact = 65'536, kStep = 1'024;
  void add_far(std::int64_t value);
  std::vector<std::uint64_t> exact_;            // by value, as far as there were any
  std::vector<std::uint64_t> steps_;            // by steps beyond kExact
  std::int64_t least_ = std::numeric_limits<std::int64_t>::max(), most_ = std::numeric_limits<std::int64_t>::min();   // told to add_far
  std::int64_t beside_ = 0;                     // by how much the sum is more than the counts say
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
  void add(std::uint64_t index, const Byte* state, const Failure* failure);
  // Games that follow each other, all played before the first is looked at.
  void add(std::uint64_t first, const detail::Playouts& games, std::size_t count);
  void add(const Tally& other);
  void report(Statistics& out) const;

 private:
  void add(std::uint64_t index, const Byte* state, Word hash, const Failure* failure);
  void add_race(const Byte* state, bool failed);
  struct Count {
    std::uint64_t games = 0, wins = 0;
  };
  void add_failure(std::uint64_t index, const Failure& failure);
  const detail::GameData* game_;
  std::uint64_t digest_ = 0, failed_ = 0;
  Histogram turns_, lengths_, race_lengths_, race_totals_;   // the last two in milliseconds
  std::uint64_t races_ = 0;
  std::vector<std::uint64_t> landed_, late_;   // per seat and action of the races
  std::vector<std::uint64_t> timed_out_;       // by window
  std::vector<std::uint64_t> endings_;         // by Program::endings, from 1; 0: none
  std::vector<std::vector<Count>> traits_;     // by statistics variable, then value
  std::vector<std::uint64_t> winners_;         // by the mask of who won
  void (*hash_all_)(const Byte* state, std::size_t distance, std::size_t games, Int count, Word* hashes);   // of the rules states
  std::map<std::string, FailureCount> failures_;
};

}  // namespace cardwright::api
