// Measures the time until a game can be played. Each measurement uses a new process, so that its caches are cold.
#pragma once

#include <string>
#include <vector>

namespace bench {

struct Time {
  double seconds = 0;   // CPU time of all threads
  double of_reference = 0;   // number of decisions that the reference makes in the same time
};
struct Starting {
  Time program;   // time from the rules' text to the Program
  Time playout;   // additional time for the JIT's playout form
  double playout_clock = 0;   // `playout` as wall-clock time in seconds
  Time stepwise;   // the part of the JIT's stepwise form that one game needs
};

Starting measure_starting(const std::string& game, int players, bool jit, int runs);
// Returns the wall-clock time in seconds that a command takes.
double measure_command(const std::vector<std::string>& words, int runs);

// Runs the measurement `what` in the new process, and returns its exit code.
int run_child(const std::string& what, const std::string& game, int players);

}   // namespace bench
