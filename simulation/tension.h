// Measures how long games stay open, game by game, as integers that can be added.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <nlohmann/json.hpp>

#include "cardwright/cardwright.hpp"

namespace cardwright::api::detail {

inline constexpr std::int64_t kTensionFine = 1'000'000;   // scale of uncertainty

// Results of one game: numbers of playouts in half of those at a moment, summed over moments; `decided` in halves of a
// moment.
struct TensionCourse {
  bool won = false;
  std::int64_t lead_changes = 0, comeback = 0, drama = 0, decided = 0;
  std::array<std::int64_t, 10> uncertainty{}, moments{};   // by tenth of the game: sum and number
};
// Analyzes game `index` of the run `seed`, played at random.
TensionCourse look_at_tension(const Game& game, std::uint64_t seed, std::uint64_t index, int moments, int playouts);

class TensionTally {
 public:
  TensionTally(int moments, int playouts) : moments_(moments), playouts_(playouts) {}
  void add(const TensionCourse& course);
  void add(const TensionTally& other);
  nlohmann::ordered_json json() const;
  void add(const nlohmann::ordered_json& json);   // throws what at() throws, or Error(caller)
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
