// Windows where several answer at the same time, as a host drives them: who of those asked at once answers next; and
// the clock of a live race, in which people act when they like. Times are microseconds since the race was opened.
#pragma once

#include "api/game/game_data.h"

namespace cardwright::api::detail {

// ---- at once

// Mask of those who have still to answer the pending question; 0 where one player alone is asked.
std::uint64_t still_to_answer(const StateData& state);
// Asks this one first. False if they have nothing to answer.
bool ask_first(StateData& state, int player);
// Who has still to answer, also in the middle of an answer; 0: nobody is waited for.
std::uint64_t awaited(const StateData& state);
// What stands for an answer that does not come in time. The options are listed.
std::size_t missing_answer(StateData& state);

// ---- real time

// Whom the host moves, by mask; before setup.
void make_live(StateData& state, std::uint64_t players);
std::uint64_t live_players(const StateData& state);
// The host is asked whether the next event comes, or somebody acts before.
bool waits_for_clock(const StateData& state);

struct Clock {
  bool open = false;
  Int time = 0;
  Int next_event = 0;
  Int paused_until = kNone;
};
Clock clock_of(const StateData& state);
// A player who is moved by a host decides now, as one does who is not: then waiting is among the options. False:
// nothing is offered.
bool ask_now(StateData& state, int player);
// When a player can begin something, whatever it is; at least now.
Int free_at(const StateData& state, int player);
bool is_in_flight(const StateData& state, int player);
// Throws Error(caller) if no clock can show that time, …
void need_time(Int time);
// … or if times can't be so many times as long.
void check_time_factor(int factor);
// Of all times in races; in a state before setup.
void set_time_factor(const Program& program, Byte* state, int factor);

// These play by the policy that the rules have for bots, if the game was compiled with it; before setup.
void play_by_policy_of_bots(StateData& state, std::uint64_t players);
// Of the pending decision's options those that the rules call sensible, and that their policy for bots doesn't avoid;
// all where there are none, and in a race.
std::vector<std::int64_t> sensible_options(const StateData& state);

// The next event happens.
void go_on(StateData& state, Log* log);
// All events up to `time` happen, and then it is that time. Stops early where the race closes.
void run_until(StateData& state, Int time, Log* log);
// The player acts now: their options are pending then, or they have none and the clock waits again.
void arrive(StateData& state, int player, Log* log);
// What the player has begun lands at that time.
void land_at(StateData& state, int player, Int time);

// After resample: what others have answered or begun is decided again, and nobody is live.
void forget_answers(StateData& state, int observer);
// Works out again what comes next, in a race that waits for its clock and in which nobody is live any more.
void look_again(StateData& state);

}   // namespace cardwright::api::detail
