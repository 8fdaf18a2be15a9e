// Divides the games of a run into pieces that take about two seconds each, and saves intermediate results between
// pieces.
#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

#include "cardwright/parts.hpp"

namespace cardwright::api {

class Pieces {
 public:
  // `first` is the number of games in the first piece. If `whole` is true and the checkpoint has no `save` function,
  // each range is a single piece.
  Pieces(const Checkpoint& checkpoint, std::uint64_t first, bool whole) : checkpoint_(checkpoint), piece_(first) {
    if (whole && !checkpoint.save) piece_ = ~std::uint64_t{0};
  }

  // Calls play(piece) for all pieces of the ranges in order, until a call returns false. Returns the result of the last
  // call.
  template <class Play>
  bool each(const std::vector<GameRange>& ranges, const Play& play) {
    for (const GameRange& range : ranges)
      for (std::uint64_t from = range.from; from < range.to;) {
        const std::uint64_t to = from + std::min(piece_, range.to - from);
        const auto begun = Clock::now();
        if (!play(GameRange{from, to})) return false;
        from = to;
        if (piece_ != ~std::uint64_t{0}) grow(since(begun));
        save();
      }
    return true;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }
  // Adapts the piece size so that a piece takes about two seconds. A piece grows by at most a factor of four.
  void grow(double took) {
    constexpr double kSeconds = 2;
    piece_ = std::max<std::uint64_t>(
        1, static_cast<std::uint64_t>(static_cast<double>(piece_) * kSeconds / std::max(kSeconds / 4, took)));
  }
  void save() {
    if (!checkpoint_.save || (since(saved_) < checkpoint_.every && !(checkpoint_.now && *checkpoint_.now))) return;
    checkpoint_.save();
    saved_ = Clock::now();
  }

  const Checkpoint& checkpoint_;
  std::uint64_t piece_;
  Clock::time_point saved_ = Clock::now();
};

}   // namespace cardwright::api
