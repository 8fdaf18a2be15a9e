// Manages the bots at one table, one for each seat with a bot policy. The bots observe every decision of the game.
#pragma once

#include <optional>
#include <vector>

#include "cardwright/bots.hpp"
#include "cardwright/policies.hpp"

namespace cardwright::api::detail {

class TableBots {
 public:
  // Creates the bots. `policies` has one policy for each seat, or one for all seats; seats without bots are skipped. A
  // bot's seed is derived from the run's seed, the game and the seat.
  TableBots(const Game& game, const std::vector<PlayerPolicy>& policies, std::uint64_t run, std::uint64_t index);

  bool any() const { return !bots_.empty(); }
  // Returns the index of the option that the deciding player's bot takes; empty if this player is not a bot.
  std::optional<std::size_t> choose(const State& state);
  // Passes a decision to the bots. Must be called before the decision is applied.
  void saw(State& before, std::size_t index);

 private:
  Bot* at(int seat);

  std::vector<Bot> bots_;
};

}   // namespace cardwright::api::detail
