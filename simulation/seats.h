// Games in which each seat chooses in its own way: uniformly, sensibly, as a bot. They are played decision by decision,
// in the stepwise form.
#pragma once

#include <memory>

#include "simulation/table_bots.h"
#include "api/game/game_data.h"

namespace cardwright::api::detail {

// How this seat chooses.
const PlayerPolicy& policy_of(const SimulateSettings& settings, int seat);
// Whether all of so many seats choose in this way.
bool all_are(const SimulateSettings& settings, PlayerPolicy::Kind kind, int players);
// Whether a playout can play so: no bots, and seats differ only if the game was compiled for that.
bool fits_playout(const Program& program, const SimulateSettings& settings);
// What Program::seat_policy holds for it.
Int number_of(const Program& program, const PlayerPolicy& policy);
// Throws Error(caller) where nobody can play this game so: seats that there are not, sensible play where that is no
// other play, policies that it was not compiled with, bots that think for a time.
// `timed_too`: those may.
void check_policies(const Program& program, const SimulateSettings& settings, bool timed_too = false);

// … or nobody can play at that speed.
void check_pace(const SimulateSettings& settings);
// How fast people are in races, and how they choose, in a state before setup.
void set_pace(const Program& program, Byte* state, const SimulateSettings& settings);

// A game of the run, before its first decision is made.
// `notes`: where what is measured is noted.
State new_game(std::shared_ptr<const GameData> game, const SimulateSettings& settings, std::uint64_t index,
               NoteBook* notes = nullptr);
// What the seeds of this run's bots are made of.
std::uint64_t seed_of_bots(const SimulateSettings& settings);
// Index of the option that the actor takes. What is drawn comes from the actor's own stream, which is no part of the
// rules state. The bots are to be told of it before it is made.
std::size_t chosen_by_policy(State& state, const SimulateSettings& settings, TableBots& bots);
// The rest of game `index`.
void play_on(State& state, const SimulateSettings& settings, std::uint64_t index);

// Plays whole games so; for one thread. Their ends are what Playouts hands out.
class SeatedPlay {
 public:
  SeatedPlay(const GameData& game, const SimulateSettings& settings);
  // Leaves the last bytes in `end`, which has room for Layout::size; a rule's error is returned.
  std::unique_ptr<Failure> play(std::uint64_t index, Byte* end, NoteBook* notes) const;

 private:
  const std::shared_ptr<const GameData> game_;
  const SimulateSettings& settings_;
  bool bots_ = false;   // who need to know who knows what
};

}   // namespace cardwright::api::detail
