// What it takes until a game can be played: each time in a process of its own, since caches are cold there.
#pragma once

#include <string>
#include <vector>

namespace bench {

struct Time {
  double seconds = 0;   // of all processors together
  double of_reference = 0;   // decisions that the reference would have made meanwhile
};
struct Starting {
  Time program;   // text to Program
  Time playout;   // the JIT's playout form, on top of that
  double playout_clock = 0;   // … by the clock, in seconds
  Time stepwise;   // as much of the JIT's stepwise form as one game needs
};

Starting measure_starting(const std::string& game, int players, bool jit, int runs);
// Seconds by the clock that a command takes.
double measure_command(const std::vector<std::string>& words, int runs);

// The part of it that runs in the other process; its exit code.
int run_child(const std::string& what, const std::string& game, int players);

}   // namespace bench
