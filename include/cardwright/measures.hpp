// Results of measures: a table for each `measure` that the Configuration requests.
//
// In each game, a cell of a measure has a numerator x and a denominator n: for a count or sum, the amount and 1 (with
// `per turn`, the number of turns); for a mean or share, the sum and the number of samples. The cell's value is the sum
// of all x over the sum of all n. The unit of its interval is the game, because events within a game depend on each
// other. All sums are integers, so the sums of several runs can be added without rounding.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace cardwright::api {

// The name in Configuration::measures that requests the order of turns, from which Statistics derives wins by place in
// the turn order. No measure can have this name.
inline constexpr const char* kTurnOrder = "turn order";

using Wide = __int128;   // sums of squares: 10^12 games of 10^6 each overflow 64 bits

struct MeasureSums {
  std::uint64_t games = 0;   // games measured, without failed games
  Wide x = 0, n = 0;   // sums over games
  Wide xx = 0, xn = 0, nn = 0;

  void add(const MeasureSums& other);
  double value() const;   // x / n; 0 if n is 0
  // 95 % interval of the ratio of two means, linearized (unit: games). Infinite for fewer than two games.
  std::pair<double, double> interval() const;
};

struct MeasureCell {
  std::vector<std::string> keys;   // one value per key: "b", "Splash", "3"; empty for a measure without keys
  MeasureSums sums;
  // Counts and sums only: number of games (`per turn`: turns) per value, ascending. Bins of 1,024 beyond ±65,535.
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
  bool duration = false;   // in microseconds
  std::vector<std::string> keys;   // "by"; if players are grouped by a variable: "by: role"
  std::vector<MeasureCell> cells;
  // Course of the game, if the measure is declared along turns or rounds: single turns up to the 64th, then sections of
  // doubling length; and tenths of each game's length.
  std::string along;   // "turn", "round"; empty: no course
  std::vector<MeasureStretch> course, tenths;
};

}   // namespace cardwright::api
