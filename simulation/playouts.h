// Plays complete games one after another on one thread, for simulations.
#pragma once

#include <memory>
#include <vector>

#include "api/game/game_data.h"
#include "api/game/noting.h"

namespace cardwright::api::detail {

class SeatedPlay;

// Plays complete games with the given policies, on one thread: in the playout form if fits_playout() allows it,
// otherwise decision by decision (SeatedPlay). It has slots for several final States, so that a State can be read after
// other games have been played. Reading memory directly after writing it with other access sizes would stall on store
// forwarding.
class Playouts {
 public:
  static constexpr std::size_t kMostPlaces = 16;
  // If `trace` is set, it receives all decisions.
  Playouts(const GameData& game, const SimulateSettings& settings, TraceSink* trace = nullptr);
  ~Playouts();
  void play(std::uint64_t index, std::size_t place = 0);
  std::size_t places() const { return places_; }
  std::size_t distance() const { return size_; }   // distance between slots in bytes
  // Returns the final State of the last game played in this slot.
  const Byte* state(std::size_t place = 0) const { return states_.get() + place * size_; }
  std::int64_t decisions(std::size_t place = 0) const {
    return read<std::uint32_t>(state(place) + game_.program().layout.decisions);
  }
  const Failure* failure(std::size_t place = 0) const { return failures_[place].get(); }
  bool any_failure() const { return failed_ != 0; }   // true if any slot has a failure
  // Returns true if the Program records notes for measures. In this case, measured() returns the values of the last
  // game in a slot, which are empty for a failed game.
  bool measures() const { return notes_ != nullptr; }
  // Computes the score of each player (Program::score) in the last game in this slot. Returns false if the game or the
  // computation failed.
  bool scores(std::size_t place, std::vector<std::int64_t>& out);
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
  std::vector<std::unique_ptr<Failure>> failures_;   // by slot; null if the game did not fail
  std::size_t failed_ = 0;   // number of slots with a failure
  std::unique_ptr<Notes> notes_;
  std::vector<MeasuredGame> measured_;   // by slot
  cardwright::Game context_, score_context_;
  std::unique_ptr<SeatedPlay> seated_;   // null unless games are played decision by decision
};
}   // namespace cardwright::api::detail
