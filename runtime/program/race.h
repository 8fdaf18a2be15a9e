// Describes the variables and functions that windows in real time use, so that a host can show and run a race.
#pragma once

#include <string>
#include <vector>

#include "support/source.h"
#include "runtime/program/components.h"

namespace cardwright {

// A variable or parameter of a window that other rules can read.
struct WindowFieldInfo {
  std::string name;
  ValueKind kind = ValueKind::integer;
  Int enumeration = -1;
  Int variable = -1;
};

struct AfterInfo {   // an `after` of a window in real time
  bool quiet = false;   // true for `after … of quiet`, which runs when no action has taken effect for that time
  std::string words;   // description of its effect for people
  Range where;
};

// The variables of races (windows in real time). Times are in microseconds since the current race began. A variable
// that the game does not have is -1.
struct RaceInfo {
  Int open = -1;   // 1 while a race is open
  Int time = -1, next_event = -1;
  Int paused_until = -1;   // end of the current pause, or none
  Int thinking = -1, waiting = -1, flying = -1;   // masks of players; a player in none of these masks is idle
  Int due = -1;   // per player: the next decision or effect, encoded as time * 64 + class * 16 + rank
  Int free = -1;   // per player: earliest time at which the next action can start
  Int blocked = -1;   // per player and delay group: time until which actions of the group are blocked
  Int answers = -1, held = -1;   // actions in flight, as in AtOnceInfo
  std::vector<Int> sets;
  Int live = -1;   // mask of the players controlled by the host
  Int speed = -1;   // per player: speed factor times 1024
  Int factor = -1;   // factor by which all times are multiplied
  Int clock = -1;   // total time of finished races; rules can't read it
  Int races = -1;   // number of finished races
  static constexpr Int kLengths = 16;
  Int lengths = -1;   // durations of the last kLengths races
  Int guard_at = -1;   // latest time at which an `after D` of the open race runs; 0: none
  std::vector<Int> timers;   // timers of the rules: the time at which each expires, or none
  std::vector<std::string> timer_labels;
  Int afters = -1;   // by `after` of the open window: the time at which it runs, or none
  std::vector<std::vector<AfterInfo>> windows_afters;   // by window: its `after`s
  // By window: its fields that are not secret and whose values are numbers, bools, players or constants.
  std::vector<std::vector<WindowFieldInfo>> windows_fields;
  Int timed_out = -1;   // by window: number of races that ended by timeout
  std::vector<Range> guards;   // by window: the `after` that ends it
  // Per player and action in `actions`: the number of times it took effect, and the number of times it was too late.
  Int landed = -1, late = -1;
  std::vector<Int> actions;   // indices into Program::actions
  std::vector<std::vector<Int>> groups;   // delay groups: indices into Program::actions
  std::vector<Int> think;   // by window: IR function (player) that sets the time of the player's next decision, or -1
};

}   // namespace cardwright
