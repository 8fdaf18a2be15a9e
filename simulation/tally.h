// Counts the results of games. Each thread has its own Tally, and all are merged at the end. Memory use does not depend
// on the number of games.
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
#include "runtime/state/state.h"

namespace cardwright::api {

// Number of games per value: exact values up to 65,535, and bins of 1,024 values beyond.
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
  void add(const nlohmann::ordered_json& json);   // throws the exceptions of at()
  std::uint64_t count() const;
  std::int64_t sum() const;
  Spread spread() const;
  std::vector<Spread::Bin> bins() const;

 private:
  static constexpr std::int64_t kExact = 65'536, kStep = 1'024;
  [[gnu::noinline]] void add_far(std::int64_t value);
  std::vector<std::uint64_t> exact_;   // by value; grown on demand
  std::vector<std::uint64_t> steps_;   // by bin beyond kExact
  // Minimum and maximum of the values passed to add_far.
  std::int64_t least_ = std::numeric_limits<std::int64_t>::max(), most_ = std::numeric_limits<std::int64_t>::min();
  std::int64_t beside_ = 0;   // exact sum minus the sum derived from the bins
};

// Groups the players by the value of a variable. Calls take() for each value that occurs in this State, with the value,
// the number of players who have it, and the number of winners among them.
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

// Counts failed games by kind of error, place and call stack.
class FailureCounts {
 public:
  void add(std::uint64_t first, const Failure& failure, std::uint64_t count = 1);
  void add(const FailureCounts& other);
  nlohmann::ordered_json json() const;
  void add(const nlohmann::ordered_json& json);
  // Returns the counts, most frequent first.
  std::vector<FailureCount> counts() const;

 private:
  std::map<std::string, FailureCount> all_;
};

// Results of a game's races, in microseconds. Includes a race that was open when the game ended.
struct RaceCourse {
  std::vector<Int> lengths;   // at most RaceInfo::kLengths lengths
  std::vector<std::uint64_t> timed_out;   // by window
  std::uint64_t races = 0;
  Int clock = 0;   // total duration of all races
};
RaceCourse race_course(const Program& program, const Byte* state, bool failed);

class Tally {
 public:
  explicit Tally(const detail::GameData& game);
  // Adds a finished game; `failure` is set if a runtime error ended it.
  void add(std::uint64_t index, const Byte* state, const Failure* failure);
  // Adds the games in the first `count` slots.
  void add(const std::uint64_t* indices, const detail::Playouts& games, std::size_t count);
  void add(const Tally& other);
  // json() serializes all counts; add() adds serialized counts.
  nlohmann::ordered_json json() const;
  void add(const nlohmann::ordered_json& json);
  void report(Statistics& out) const;
  // Returns the combined share of these seats.
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
  // Number of games, for one value of a player variable, by the number of players with this value (from 1) and the
  // number of winners among them.
  using Held = std::vector<std::uint64_t>;
  std::size_t held(int holders, int wins) const {
    const auto n = static_cast<std::size_t>(holders);
    return (n - 1) * (n + 2) / 2 + static_cast<std::size_t>(wins);
  }
  Share share_of(std::string name, const Held& held) const;
  [[gnu::noinline]] void add_failure(std::uint64_t index, const Failure& failure);
  const detail::GameData* game_;
  // The following members describe how to read values from a final State.
  // Counts games; specialized for the length of the rules state, because it hashes that state.
  const AddEach add_each_;
  const Int rules_end_, winners_at_, decisions_at_, ended_by_at_;
  VariableSlot turn_;   // the turn number; size 0 if there are no turns
  bool has_more_;   // true if the game has races, or the rules declare statistics
  std::uint64_t digest_ = 0, failed_ = 0;
  Histogram turns_, lengths_, race_lengths_, race_totals_;   // race lengths in milliseconds
  std::uint64_t races_ = 0;
  std::vector<std::uint64_t> landed_, late_;   // by seat and action of the races
  std::vector<std::uint64_t> timed_out_;   // by window
  std::vector<std::uint64_t> endings_;   // by index into Program::endings plus 1; 0: no ending
  std::vector<std::vector<Held>> traits_;   // by statistics variable, then value
  std::vector<std::uint64_t> winners_;   // by mask of winners
  FailureCounts failures_;
};

}   // namespace cardwright::api
