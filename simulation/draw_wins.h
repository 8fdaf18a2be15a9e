// Counts how often players win after drawing a card. Memory use does not depend on the number of games.
#pragma once

#include <cstdint>
#include <vector>

#include <nlohmann/json.hpp>

#include "api/game/measured_game.h"

namespace cardwright::api {

// Win rates of players who drew a card of a type, and of all players in the same stratum: with the same number of draws
// and of pile refills before the draw. They are stored per batch of games, because intervals are computed from the
// variation between batches.
class DrawWins {
 public:
  static constexpr std::size_t kBatches = 32;
  explicit DrawWins(std::size_t kinds = 0) : kinds_(kinds) {}

  void add(std::uint64_t index, const std::vector<detail::CardDraw>& draws, std::uint64_t winners);
  void add(const DrawWins& other);
  nlohmann::ordered_json json() const;
  void add(const nlohmann::ordered_json& json);   // throws the exceptions of at(), or Error(caller)

  std::size_t kinds() const { return kinds_; }
  // Returns the win rate of players who draw the card minus the win rate of all players in the same stratum, averaged
  // over all draws of the card in the batches [from, to); NaN if the card was not drawn.
  double effect(std::size_t kind, std::size_t from = 0, std::size_t to = kBatches) const;
  // Returns the number of draws of the card in the batch with the fewest draws.
  std::uint64_t least_draws(std::size_t kind) const;

 private:
  struct Wins {
    std::uint64_t players = 0, wins = 0;
  };
  std::vector<Wins>& row(std::size_t batch, std::size_t stratum);
  const std::vector<Wins>* seen(std::size_t batch, std::size_t stratum) const;

  std::size_t kinds_;
  // Wins by batch and stratum. Each row starts with the totals, followed by the wins by card type. Rows grow on demand.
  std::vector<std::vector<Wins>> rows_;
};

}   // namespace cardwright::api
