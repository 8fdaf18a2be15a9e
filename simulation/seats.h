// Plays games decision by decision, in the step form, with a policy for each seat: uniform, sensible, named, or a bot.
#pragma once

#include <memory>

#include "simulation/table_bots.h"
#include "api/game/game_data.h"

namespace cardwright::api::detail {

const PlayerPolicy& policy_of(const SimulateSettings& settings, int seat);
// Returns true if all seats have a policy of this kind.
bool all_are(const SimulateSettings& settings, PlayerPolicy::Kind kind, int players);
// Returns true if the playout form can play with these policies: no seat has a bot, and all policies other than uniform
// play are compiled into the game.
bool fits_playout(const Program& program, const SimulateSettings& settings);
// Returns the policy's value in Program::seat_policy.
Int number_of(const Program& program, const PlayerPolicy& policy);
// Throws Error(caller) if the policies are invalid for this game: unknown seats, sensible play where it does not differ
// from uniform play, policies that were not compiled in, or, unless `timed_too` is true, bots with a time limit.
void check_policies(const Program& program, const SimulateSettings& settings, bool timed_too = false);

// Throws Error(caller) if a speed is out of range.
void check_pace(const SimulateSettings& settings);
// Sets speeds and policies. Must be called before setup.
void set_pace(const Program& program, Byte* state, const SimulateSettings& settings);

// Starts game `index` of the run and returns its State at the first decision. `notes` receives the game's notes for
// measures.
State new_game(std::shared_ptr<const GameData> game, const SimulateSettings& settings, std::uint64_t index,
               NoteBook* notes = nullptr);
// Returns the seed from which the seeds of this run's bots are derived.
std::uint64_t seed_of_bots(const SimulateSettings& settings);
// Returns the index of the option that the deciding player takes. Random choices use this player's own random stream,
// which is not part of the rules state. The caller must call bots.saw() before it applies the option.
std::size_t chosen_by_policy(State& state, const SimulateSettings& settings, TableBots& bots);
// Plays game `index` to its end.
void play_on(State& state, const SimulateSettings& settings, std::uint64_t index);

// Plays complete games with these policies on one thread, for Playouts.
class SeatedPlay {
 public:
  SeatedPlay(const GameData& game, const SimulateSettings& settings);
  // Stores the final bytes in `end`, which must have room for Layout::size; returns the runtime error, if any.
  std::unique_ptr<Failure> play(std::uint64_t index, Byte* end, NoteBook* notes) const;

 private:
  const std::shared_ptr<const GameData> game_;
  const SimulateSettings& settings_;
  bool bots_ = false;   // true if a seat has a bot, which needs tracked knowledge
};

}   // namespace cardwright::api::detail
