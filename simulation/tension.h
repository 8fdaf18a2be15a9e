// Measures how long the winner of each game remains uncertain. All results are integers, so they can be added without
// rounding.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <nlohmann/json.hpp>

#include "cardwright/cardwright.hpp"

namespace cardwright::api::detail {

inline constexpr std::int64_t kTensionFine = 1'000'000;   // scale factor of uncertainty: this integer represents 1

// Results of one game. `lead_changes` and `comeback` (0 or 1) are counts. `drama` is a number of playouts, summed over
// moments and counted only in the second half of each moment's playouts. The unit of `decided` is half a moment.
struct TensionCourse {
  bool won = false;
  std::int64_t lead_changes = 0, comeback = 0, drama = 0, decided = 0;
  // By tenth of the game: sum of the uncertainties (scaled by kTensionFine), and number of moments.
  std::array<std::int64_t, 10> uncertainty{}, moments{};
};
// Analyzes game `index` of the run `seed`, which is played with uniformly random options.
TensionCourse measure_tension(const Game& game, std::uint64_t seed, std::uint64_t index, int moments, int playouts);

class TensionTally {
 public:
  TensionTally(int moments, int playouts) : moments_(moments), playouts_(playouts) {}
  void add(const TensionCourse& course);
  void add(const TensionTally& other);
  nlohmann::ordered_json json() const;
  void add(const nlohmann::ordered_json& json);   // throws the exceptions of at(), or Error(caller)
  TensionFigures report() const;

 private:
  struct Sum {
    std::int64_t x = 0;
    Wide squares = 0;
  };
  TensionFigures::Mean mean(const Sum& sum, double one) const;

  int moments_, playouts_;
  std::uint64_t won_ = 0;
  std::array<Sum, 4> sums_;   // lead changes, comebacks, drama, decided
  std::array<std::int64_t, 10> uncertainty_{}, counted_{};
};

}   // namespace cardwright::api::detail
