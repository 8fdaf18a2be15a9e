// Samples worlds: states that are consistent with everything that a player knows (State::resample).
#pragma once

#include <optional>
#include <span>

#include "api/game/game_data.h"

namespace cardwright::api::detail {

// Statistics of the sampling, for tests.
struct WorldCounts {
  std::uint64_t worlds = 0, drawn = 0;   // number of worlds found, and of worlds tried
  std::uint64_t other_options = 0;   // worlds rejected because the deciding player would have other options
  std::uint64_t walked = 0;   // worlds found only by a random walk from the true state
  std::uint64_t failed = 0;
};

// Samples worlds of one State for one observer. Data shared by all worlds is computed only once. Must be used by one
// thread at a time.
class Worlds {
 public:
  // `truth` must outlive this object; the constructor changes it only by listing its options. `trails` is passed to
  // Unseen.
  Worlds(StateData& truth, int observer, std::span<const Word> trails = {});
  // Later worlds do not track knowledge, as after State::drop_knowledge.
  void drop_knowledge() { keeps_knowledge_ = false; }

  // Samples a state with the same view, the same pending decision and, if the observer decides, the same options. The
  // result depends only on `seed`. Returns false if no such state is found.
  bool draw(StateData& world, std::uint64_t seed, WorldCounts* counts = nullptr);
  // Returns the cards unknown to the observer; null for an observer who knows everything.
  Unseen* unknown() { return unknown_ ? &*unknown_ : nullptr; }
  // Returns true if the last world was found at the first try, exactly as `unknown` assigned it.
  bool was_assigned() const { return assigned_; }

 private:
  void find_question();
  bool draws(StateData& world);
  bool redraws(StateData& world);
  bool walks(StateData& world);
  void draw_all(StateData& drawn, bool with_knowledge);
  bool fits(StateData& world);
  bool has_same_options(StateData& world);
  std::uint64_t next_seed() { return seed_ + 0x9e3779b97f4a7c15u * draws_++; }

  StateData& truth_;
  // Copy of the true state from before its options were listed, because listing can draw the top of a pile. In a
  // simultaneous decision, the observer is the next player to answer.
  StateData base_;
  const int observer_;
  const Resampler& resampler_;
  std::optional<Unseen> unknown_;
  bool keeps_knowledge_ = true;
  bool only_chance_ = false;   // true if the observer knows everything, so that only the random streams are new
  bool at_once_ = false;
  bool asked_ = false;   // true if the observer has a decision to make
  bool assigned_ = false;   // the result of was_assigned()
  std::vector<std::int64_t> options_;   // options of the observer
  std::vector<Byte> before_;   // bytes of a world before it was run to its decision
  std::uint64_t seed_ = 0, draws_ = 0;   // seed of the current world, and number of draws for it
  WorldCounts* counts_ = nullptr;
};

// Returns one sampled world. Changes `truth` only by listing its options. Throws Error(internal) if no world is found.
std::unique_ptr<StateData> other_world(StateData& truth, int observer, std::uint64_t seed,
                                       WorldCounts* counts = nullptr);

}   // namespace cardwright::api::detail
