// What is counted while games are played: one Tally per thread, added up at the end. Its size does not depend on the
// number of games.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "simulation/playouts.h"
#include "api/game/game_data.h"
#include "runtime/state.h"

namespace cardwright::api {

// Counts per value, exact up to 65,535 and in steps of 1,024 beyond.
class Histogram {
 public:
  void add(std::int64_t value) {
    if (static_cast<std::uint64_t>(value) < exact_.size()) [[likely]]
      ++exact_[static_cast<std::size_t>(value)];
    else
      add_far(value);
  }
  void add(const Histogram& other);
  nlohmann::ordered_json json() const;
  void add(const nlohmann::ordered_json& json);   // throws what at() throws
  std::uint64_t count() const;
  std::int64_t sum() const;
  Spread spread() const;
  std::vector<Spread::Bin> bins() const;

 private:
  static constexpr std::int64_t kExact = 65'536, kStep = 1'024;
  [[gnu::noinline]] void add_far(std::int64_t value);
  std::vector<std::uint64_t> exact_;   // by value, as far as there were any
  std::vector<std::uint64_t> steps_;   // by steps beyond kExact
  // told to add_far
  std::int64_t least_ = std::numeric_limits<std::int64_t>::max(), most_ = std::numeric_limits<std::int64_t>::min();
  std::int64_t beside_ = 0;   // by how much the sum is more than the counts say
};

// Who of those with the same value of a variable won: calls take(value, holders, winners) for each value that somebody
// has in that State.
template <class Take>
void each_value_held(const Program& program, const Byte* state, Int variable, std::uint64_t winners, const Take& take) {
  const Int players = program.layout.players;
  Int values[16];
  for (Int seat = 0; seat < players; ++seat) values[seat] = value_of_variable(program, state, variable, seat);
  for (std::uint64_t left = (std::uint64_t{1} << players) - 1; left != 0;) {
    const Int value = values[std::countr_zero(left)];
    int holders = 0, wins = 0;
    for (std::uint64_t rest = left; rest != 0; rest &= rest - 1)
      if (const int seat = std::countr_zero(rest); values[seat] == value) {
        ++holders;
        wins += static_cast<int>(winners >> seat & 1);
        left &= ~(std::uint64_t{1} << seat);
      }
    take(value, holders, wins);
  }
}

// Games that a rule ended, by what went wrong and on which way there.
class FailureCounts {
 public:
  void add(std::uint64_t first, const Failure& failure, std::uint64_t count = 1);
  void add(const FailureCounts& other);
  nlohmann::ordered_json json() const;
  void add(const nlohmann::ordered_json& json);
  // The most frequent first.
  std::vector<FailureCount> counts() const;

 private:
  std::map<std::string, FailureCount> all_;
};

// What the races of a game came to, in microseconds. One that was open when the game ended counts, too.
struct RaceCourse {
  std::vector<Int> lengths;   // at most RaceInfo::kLengths
  std::vector<std::uint64_t> timed_out;   // by window
  std::uint64_t races = 0;
  Int clock = 0;   // all of them together
};
RaceCourse race_course(const Program& program, const Byte* state, bool failed);

class Tally {
 public:
  explicit Tally(const detail::GameData& game);
  // A finished game; `failure` if a rule ended it.
  void add(std::uint64_t index, const Byte* state, const Failure* failure);
  // The games that lie at the first places.
  void add(const std::uint64_t* indices, const detail::Playouts& games, std::size_t count);
  void add(const Tally& other);
  // All of it, and the same added; see parts.hpp.
  nlohmann::ordered_json json() const;
  void add(const nlohmann::ordered_json& json);
  void report(Statistics& out) const;
  // Of these seats, taken together.
  Share share_of_seats(std::string name, std::uint64_t seats) const;

 private:
  using AddEach = void (Tally::*)(const std::uint64_t* indices, const Byte* state, std::size_t distance,
                                  std::size_t count);
  template <class Hash>
  void add_each(const std::uint64_t* indices, const Byte* state, std::size_t distance, std::size_t count,
                const Hash& hash);
  void add_long(const std::uint64_t* indices, const Byte* state, std::size_t distance, std::size_t count);
  template <Int kWords, bool kWhole>
  void add_short(const std::uint64_t* indices, const Byte* state, std::size_t distance, std::size_t count);
  template <std::size_t... kWords>
  static AddEach add_for(Int count, std::index_sequence<kWords...>);
  [[gnu::noinline]] void add_more(const Byte* state, std::uint64_t winners);
  std::int64_t turns_in(const Byte* state) const;
  void add_race(const Byte* state, bool failed);
  // Of a value that players can have: in how many games so many (from 1) had it and so many of them won.
  using Held = std::vector<std::uint64_t>;
  std::size_t held(int holders, int wins) const {
    return static_cast<std::size_t>((holders - 1) * (holders + 2) / 2 + wins);
  }
  Share share_of(std::string name, const Held& held) const;
  [[gnu::noinline]] void add_failure(std::uint64_t index, const Failure& failure);
  const detail::GameData* game_;
  // What is read of every game, and where.
  const AddEach add_each_;   // by the length of the rules state, which is hashed
  const Int rules_end_, winners_at_, decisions_at_, ended_by_at_;
  VariableSlot turn_;   // its number; of no bytes: there are no turns
  bool has_more_;   // races, or statistics of the rules' own
  std::uint64_t digest_ = 0, failed_ = 0;
  Histogram turns_, lengths_, race_lengths_, race_totals_;   // the last two in milliseconds
  std::uint64_t races_ = 0;
  std::vector<std::uint64_t> landed_, late_;   // per seat and action of the races
  std::vector<std::uint64_t> timed_out_;   // by window
  std::vector<std::uint64_t> endings_;   // by Program::endings, from 1; 0: none
  std::vector<std::vector<Held>> traits_;   // by statistics variable, then value
  std::vector<std::uint64_t> winners_;   // by the mask of who won
  FailureCounts failures_;
};

}   // namespace cardwright::api
