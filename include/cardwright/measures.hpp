// What was measured while many games were played: a table for each `measure` that the Configuration asks for.
//
// A cell of a measure has in each game a numerator x and a denominator n: a count or sum and 1 (or, `per turn`, how
// many turns there were); of a mean or share what was added up and how many moments there were. Its value is the sum of
// all x over the sum of all n, and games are the unit of its interval, since what happens within a game hangs together.
// All sums are integers, so those of several runs add up to what one run would have given.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace cardwright::api {

// The name in Configuration::measures that asks for whose each turn was: then Statistics has wins by place in the turn
// order. (No measure can be called so.)
inline constexpr const char* kTurnOrder = "turn order";

using Wide = __int128;   // sums of squares: 10^12 games of 10^6 each would leave 64 bits

struct MeasureSums {
  std::uint64_t games = 0;   // all that were measured; those that a failure ended are none
  Wide x = 0, n = 0;   // over games
  Wide xx = 0, xn = 0, nn = 0;

  void add(const MeasureSums& other);
  double value() const;   // x / n; 0 where there was nothing (n is 0)
  // 95 %, of the ratio of two means, linearised (games as units). As wide as can be where there are fewer than two
  // games.
  std::pair<double, double> interval() const;
};

struct MeasureCell {
  std::vector<std::string> keys;   // what it is of, key by key: "b", "Splash", "3"; none: a measure without keys
  MeasureSums sums;
  // Of counts and sums: how many games (`per turn`: turns) came to how much, ascending. Beyond ±65,535 in steps of
  // 1,024.
  std::vector<std::pair<std::int64_t, std::uint64_t>> histogram;
};

// A stretch of the game: one turn, several of them, or a tenth of all there were.
struct MeasureStretch {
  std::int64_t first = 0, last = 0;   // turns or rounds from 1; of tenths from 1 to 10
  std::vector<MeasureSums> cells;   // as in MeasureTable::cells
};

struct MeasureTable {
  std::string name, label;   // "damage", "Towels taken"; the label may be empty
  std::string what;   // "count", "sum", "mean", "share"
  bool per_span = false;   // `per turn`, `per round`: of that
  bool duration = false;   // in microseconds
  std::vector<std::string> keys;   // "by"; where players are told by a variable of theirs: "by: role"
  std::vector<MeasureCell> cells;
  // Along the game, where the measure goes by turns or rounds: one by one up to the 64th, then twice as many each time;
  // and by tenths of each game's length.
  std::string along;   // "turn", "round"; empty: not
  std::vector<MeasureStretch> course, tenths;
};

}   // namespace cardwright::api
