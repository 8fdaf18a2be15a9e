// The bots at one table, by the policies of the seats: each is told of everything that is decided there.
#pragma once

#include <optional>
#include <vector>

#include "cardwright/bots.hpp"
#include "cardwright/policies.hpp"

namespace cardwright::api::detail {

class TableBots {
 public:
  // By seat, or one for all; others than bots are left out. A bot's seed is made of the run's, the game and the seat.
  TableBots(const Game& game, const std::vector<PlayerPolicy>& policies, std::uint64_t run, std::uint64_t index);

  bool any() const { return !bots_.empty(); }
  // The index that the actor's bot takes; nothing where they are none.
  std::optional<std::size_t> choose(const State& state);
  // To be told before it is made.
  void saw(State& before, std::size_t index);

 private:
  Bot* at(int seat);

  std::vector<Bot> bots_;
};

}   // namespace cardwright::api::detail
