// Results of measures: a table for each `measure` that the Configuration requests.
//
// In each game, a cell of a measure has a numerator x and a denominator n. For a count or sum, x is the amount and n is
// 1 (with `per turn`, the number of turns). For a mean or share, x is the sum of the samples and n is their number. The
// cell's value is the sum of x over all games divided by the sum of n. Its interval treats games, not events, as
// independent, because events within a game depend on each other. All sums are integers, so the sums of several runs
// can be added without rounding.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace cardwright::api {

// This name in Configuration::measures requests the order of turns, from which Statistics derives the wins by place in
// the turn order. No measure can have this name.
inline constexpr const char* kTurnOrder = "turn order";

using Wide = __int128;   // used for sums of squares: 10^12 games with values of 10^6 overflow 64 bits

struct MeasureSums {
  std::uint64_t games = 0;   // number of measured games; excludes failed games
  Wide x = 0, n = 0;   // sums of x and n over games
  Wide xx = 0, xn = 0, nn = 0;

  void add(const MeasureSums& other);
  double value() const;   // x / n; 0 if n is 0
  // Returns the 95 % interval of the ratio x / n, by linearization, with games as independent samples. Infinite for
  // fewer than two games.
  std::pair<double, double> interval() const;
};

struct MeasureCell {
  std::vector<std::string> keys;   // one value per key: "b", "Splash", "3"; empty for a measure without keys
  MeasureSums sums;
  // For counts and sums: pairs of a value and the number of games (`per turn`: turns) with it, ascending. Values beyond
  // ±65,535 are grouped in bins of 1,024.
  std::vector<std::pair<std::int64_t, std::uint64_t>> histogram;
};

// A section of the game: one turn, several turns, or a tenth of all turns.
struct MeasureStretch {
  std::int64_t first = 0, last = 0;   // turns or rounds from 1; tenths from 1 to 10
  std::vector<MeasureSums> cells;   // in the order of MeasureTable::cells
};

struct MeasureTable {
  std::string name, label;   // "damage", "Towels taken"; the label can be empty
  std::string what;   // "count", "sum", "mean", "share"
  bool per_span = false;   // declared with `per turn` or `per round`
  bool duration = false;   // true if the values are durations in microseconds
  std::vector<std::string> keys;   // names of the keys: "by", or "by: role" if players are grouped by a variable
  std::vector<MeasureCell> cells;
  // Values over the course of the game, if the measure is declared along turns or rounds. `course` has single turns up
  // to the 64th, then sections of doubling length. `tenths` has tenths of each game's length.
  std::string along;   // "turn", "round"; empty if there is no course
  std::vector<MeasureStretch> course, tenths;
};

}   // namespace cardwright::api
