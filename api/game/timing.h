// Lets the host control simultaneous decisions and live races: selects the next player to answer, and runs the clock of
// a race in which people act at any time. Times are in microseconds since the race opened.
#pragma once

#include "api/game/game_data.h"

namespace cardwright::api::detail {

// ---- simultaneous decisions

// Returns the mask of the players who have not answered the pending question; 0 unless the decision is simultaneous.
std::uint64_t still_to_answer(const StateData& state);
// Makes this player the next to answer. Returns false if there is no question for the player.
bool ask_first(StateData& state, int player);
// Returns the mask of the players who have not answered completely. Unlike still_to_answer(), also valid in the middle
// of an answer.
std::uint64_t awaited(const StateData& state);
// Returns the index of the option that replaces a missing answer. The options must be listed.
std::size_t missing_answer(StateData& state);

// ---- real time

// Sets the mask of players controlled by the host. Must be called before setup.
void make_live(StateData& state, std::uint64_t players);
std::uint64_t live_players(const StateData& state);
// Returns true if a live race waits. The host then runs the clock to the next event, or reports an earlier action of a
// player.
bool waits_for_clock(const StateData& state);

struct Clock {
  bool open = false;
  Int time = 0;
  Int next_event = 0;
  Int paused_until = kNone;
};
Clock clock_of(const StateData& state);
// Makes a player controlled by the host decide now like a simulated player, who can also choose to wait. Returns false
// if the player has no options.
bool ask_now(StateData& state, int player);
// Returns the earliest time at which a player can begin an action, which is never before the current time.
Int free_at(const StateData& state, int player);
bool is_in_flight(const StateData& state, int player);
// Throws Error(caller) if the time is out of range.
void need_time(Int time);
// Throws Error(caller) if the time factor is out of range.
void check_time_factor(int factor);
// Sets the factor for all times in races. Must be called before setup.
void set_time_factor(const Program& program, Byte* state, int factor);

// Makes these players use the rules' policy for bots, if the game was compiled with it. Must be called before setup.
void play_by_policy_of_bots(StateData& state, std::uint64_t players);
// Returns the options of the pending decision that the rules mark as sensible and that the rules' policy for bots does
// not avoid. Returns all options in a race, or if no option qualifies.
std::vector<std::int64_t> sensible_options(const StateData& state);

// Processes the next event.
void continue_game(StateData& state, Log* log);
// Processes all events up to `time` and then advances the clock to it. Stops early if the race closes.
void run_until(StateData& state, Int time, Log* log);
// Makes the player act now: the player's options become pending. If there are none, the race waits for the clock again.
void arrive(StateData& state, int player, Log* log);
// Sets the time at which the action begun by the player takes effect.
void land_at(StateData& state, int player, Int time);

// Called after resampling: removes the answers and begun actions of players other than `observer`, and makes no seat
// live.
void forget_answers(StateData& state, int observer);
// Recomputes the next event of a race that waits for its clock but no longer has live players.
void look_again(StateData& state);

}   // namespace cardwright::api::detail
