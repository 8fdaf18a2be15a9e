// Saves intermediate results while a run plays, by time.
#pragma once

#include <chrono>
#include <vector>

#include "cardwright/parts.hpp"

namespace cardwright::api {

class Checkpoints {
 public:
  explicit Checkpoints(const Checkpoint& checkpoint) : checkpoint_(checkpoint) {}

  // Returns true if the players must pause after their current game, so that the results can be saved. Several threads
  // can call it at the same time. Each call reads the clock, so short games are checked in groups.
  bool is_due() const {
    if (!checkpoint_.save) return false;
    return (checkpoint_.now && checkpoint_.now->load(std::memory_order_relaxed)) ||
           std::chrono::duration<double>(Clock::now() - saved_).count() >= checkpoint_.every;
  }

  // Calls play(range) for the first of the missing ranges until nothing is missing or a call returns false. A call adds
  // at least one game to the results unless it returns false, and returns when a checkpoint is due.
  template <class Missing, class Play>
  void each(const Missing& missing, const Play& play) {
    for (std::vector<GameRange> left = missing(); !left.empty(); left = missing()) {
      if (!play(left.front())) return;
      if (is_due()) save();
    }
  }

 private:
  using Clock = std::chrono::steady_clock;
  void save() {
    checkpoint_.save();
    saved_ = Clock::now();
  }

  const Checkpoint& checkpoint_;
  Clock::time_point saved_ = Clock::now();
};

}   // namespace cardwright::api
