// The variables and functions of windows in real time.
#pragma once

#include <string>
#include <vector>

#include "support/source.h"
#include "runtime/program/components.h"

namespace cardwright {

// A variable or parameter of a window, to which other rules reach too.
struct WindowFieldInfo {
  std::string name;
  ValueKind kind = ValueKind::integer;
  Int enumeration = -1;
  Int variable = -1;
};

struct AfterInfo {   // an `after` of a window in real time
  bool quiet = false;   // … `of quiet`
  std::string words;   // what happens, for people
  Range where;
};

// Variables of the open race, if the game has any; times in microseconds since it was opened.
struct RaceInfo {
  Int open = -1;   // 1 while one is open
  Int time = -1, next_event = -1;
  Int paused_until = -1;   // or none
  Int thinking = -1, waiting = -1, flying = -1;   // masks; who is in none is idle
  Int due = -1;   // per player: when they decide or land: time * 64 + class * 16 + rank
  Int free = -1;   // per player: before that they can begin nothing
  Int blocked = -1;   // per player and delay group
  Int answers = -1, held = -1;   // what is in flight, as in AtOnceInfo
  std::vector<Int> sets;
  Int live = -1;   // mask of the players whom the host moves
  Int speed = -1;   // per player, 1024 = 1
  Int factor = -1;   // of all times
  Int clock = -1;   // of the races that are over; rules can't read it
  Int races = -1;   // how many those are
  static constexpr Int kLengths = 16;
  Int lengths = -1;   // of the last kLengths of them
  Int guard_at = -1;   // when the last `after D` of the open race comes; 0: there is none
  std::vector<Int> timers;   // the rules' own: when they ring, or none
  std::vector<std::string> timer_labels;
  Int afters = -1;   // by `after` of the open window: when it comes, or none
  std::vector<std::vector<AfterInfo>> windows_afters;   // by window
  // by window: numbers and the like, as far as nothing secret is in them
  std::vector<std::vector<WindowFieldInfo>> windows_fields;
  Int timed_out = -1;   // by window: how many races ended just then
  std::vector<Range> guards;   // by window: that `after`
  // per player and action of `actions`: how often it took effect, or no longer could
  Int landed = -1, late = -1;
  std::vector<Int> actions;   // indices into Program::actions
  std::vector<std::vector<Int>> groups;   // delay groups: indices into Program::actions
  std::vector<Int> think;   // by window: IR function (player) that sets their next decision, or -1
};

}   // namespace cardwright
