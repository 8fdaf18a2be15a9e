// Adds up the scores of players over many games: `value payoff`, or the value by which an ending finds the winners. Its
// size does not depend on the number of games.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "cardwright/cardwright.hpp"

namespace cardwright::api {

class ScoreTally {
 public:
  explicit ScoreTally(int players = 0);
  // Returns true if the scores of this game of a run are counted, where 0 is the first game. Computing the scores takes
  // as long as a game of a few decisions, so long runs without bots count only every 256th game after the first 16,384.
  static bool is_counted(std::uint64_t game, bool all) { return all || game < kFirst || game % kEvery == 0; }
  void add_game(std::span<const std::int64_t> scores);   // by seat
  void add(const ScoreTally& other);
  nlohmann::ordered_json json() const;
  void add(const nlohmann::ordered_json& json);   // throws what at() throws, or Error(caller)
  // Returns the scores of the players in these seats.
  ScoreMean mean_of(std::string name, std::uint64_t seats) const;
  std::uint64_t games() const { return games_; }

 private:
  static constexpr std::uint64_t kFirst = 1 << 14, kEvery = 256;
  std::size_t players() const { return sums_.size(); }

  std::uint64_t games_ = 0;
  std::vector<Wide> sums_;   // by seat
  std::vector<Wide> products_;   // by pair of seats: sums of the products of their scores in a game
  std::vector<std::int64_t> least_, most_;   // by seat
};

}   // namespace cardwright::api
