// Whole games, one after another: what simulations are made of.
#pragma once

#include <memory>
#include <vector>

#include "api/game/game_data.h"
#include "api/game/noting.h"

namespace cardwright::api::detail {

class SeatedPlay;

// Plays whole games, one after another, as the policies say: in the playout form where all play uniformly or all
// sensibly, else decision by decision (seats.h). For one thread. There is room for several States, so that a game's end
// can be read when others have been played: who reads it at once, by other pieces than it was written in, waits.
class Playouts {
 public:
  static constexpr std::size_t kMostPlaces = 16;
  Playouts(const GameData& game, const SimulateSettings& settings);
  ~Playouts();
  void play(std::uint64_t index, std::size_t place = 0);
  std::size_t places() const { return places_; }
  std::size_t distance() const { return size_; }   // in bytes, from one place to the next
  // Of the last game played there.
  const Byte* state(std::size_t place = 0) const { return states_.get() + place * size_; }
  std::int64_t decisions(std::size_t place = 0) const {
    return read<std::uint32_t>(state(place) + game_.program().layout.decisions);
  }
  const Failure* failure(std::size_t place = 0) const { return failures_[place].get(); }
  bool any_failure() const { return failed_ != 0; }   // at some place
  // Does the Program note anything? Then what the last game played there came to; of one that failed nothing.
  bool measures() const { return notes_ != nullptr; }
  const MeasuredGame& measured(std::size_t place = 0) const { return measured_[place]; }

 private:
  static constexpr std::size_t kMostBytes = 16 << 10;
  enum class Way : std::uint8_t { uniform, paced, seated };
  static Way way_of(const GameData& game, const SimulateSettings& settings);
  Status run_paced(std::uint64_t index, Byte* state);
  void play_seated(std::uint64_t index, std::size_t place);

  const GameData& game_;
  const SimulateSettings& settings_;
  const Way way_;
  const Word run_;   // run_key() of the seed
  const std::size_t size_, places_;
  const std::unique_ptr<Byte[]> states_;
  std::vector<std::unique_ptr<Failure>> failures_;   // seldom any
  std::size_t failed_ = 0;   // places where there is one
  std::unique_ptr<Notes> notes_;
  std::vector<MeasuredGame> measured_;   // by place
  cardwright::Game context_;
  std::unique_ptr<SeatedPlay> seated_;   // where they are played so
};
}   // namespace cardwright::api::detail
