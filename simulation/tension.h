// How open games are, game by game and as whole numbers that add up.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <nlohmann/json.hpp>

#include "cardwright/cardwright.hpp"

namespace cardwright::api::detail {

inline constexpr std::int64_t kTensionFine = 1'000'000;   // of uncertainty

// What one game came to. In playouts of half of those at a moment, added up over the moments; `decided` in halves of a
// moment.
struct TensionCourse {
  bool won = false;
  std::int64_t lead_changes = 0, comeback = 0, drama = 0, decided = 0;
  std::array<std::int64_t, 10> uncertainty{}, moments{};   // by tenth of the game: what they add up to, and how many
};
// Game `index` of the run `seed`, played at random.
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
