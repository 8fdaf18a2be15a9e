// Measures the time until a game can be played, each time in a new process, because its caches are cold.
#pragma once

#include <string>
#include <vector>

namespace bench {

struct Time {
  double seconds = 0;   // CPU time of all threads
  double of_reference = 0;   // decisions of the reference in the same time
};
struct Starting {
  Time program;   // text to Program
  Time playout;   // additional time for the JIT's playout form
  double playout_clock = 0;   // the same in seconds of clock time
  Time stepwise;   // the part of the JIT's stepwise form that one game needs
};

Starting measure_starting(const std::string& game, int players, bool jit, int runs);
// Returns the seconds of clock time that a command takes.
double measure_command(const std::vector<std::string>& words, int runs);

// Runs the part in the other process, and returns the exit code.
int run_child(const std::string& what, const std::string& game, int players);

}   // namespace bench
