// Other worlds in which a player may be, for all that they know: State::resample.
#pragma once

#include <optional>
#include <span>

#include "api/game/game_data.h"

namespace cardwright::api::detail {

// What it took to find worlds. Tests count it.
struct WorldCounts {
  std::uint64_t worlds = 0, drawn = 0;   // found; tried for that
  std::uint64_t other_options = 0;   // of those tried: the player asked would have had other options
  std::uint64_t walked = 0;   // found only by a walk from the truth
  std::uint64_t failed = 0;
};

// The worlds of one State, for one observer: what they have in common is found out once. For one thread.
class Worlds {
 public:
  // `truth` is only listed, and must outlive this. `trails`: see Unseen.
  Worlds(StateData& truth, int observer, std::span<const Word> trails = {});
  // From here on the worlds keep no knowledge: State::drop_knowledge.
  void drop_knowledge() { keeps_knowledge_ = false; }

  // A state with the same view, the same question to the same player and, if that is the observer, the same options;
  // the same for the same seed. False if none is found.
  bool draw(StateData& world, std::uint64_t seed, WorldCounts* counts = nullptr);
  // What is hidden, unless the observer is nobody.
  Unseen* unknown() { return unknown_ ? &*unknown_ : nullptr; }
  // The last world is the one that `unknown` assigned; it was found at once.
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
  // the truth, where the observer is the one who is asked: to offer them something may draw the top of a pile
  StateData base_;
  const int observer_;
  const Resampler& resampler_;
  std::optional<Unseen> unknown_;
  bool keeps_knowledge_ = true;
  bool only_chance_ = false;   // is new
  bool at_once_ = false;
  bool asked_ = false;   // the observer
  bool assigned_ = false;   // the last world is as it was assigned
  std::vector<std::int64_t> options_;   // theirs
  std::vector<Byte> before_;   // of a world, before it was run to its decision
  std::uint64_t seed_ = 0, draws_ = 0;   // of the world that is drawn
  WorldCounts* counts_ = nullptr;
};

// One of them. Throws Error(us) if none is found. `truth` is only listed.
std::unique_ptr<StateData> other_world(StateData& truth, int observer, std::uint64_t seed,
                                       WorldCounts* counts = nullptr);

}   // namespace cardwright::api::detail
