// Measures the time until a game can be played, in a new process for each measurement.
#include "tools/bench/starting.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "tools/bench/measure.h"
#include "cardwright/cardwright.hpp"

extern char** environ;

namespace bench {

namespace {

using namespace cardwright::api;

// Returns the output of the command; empty if it fails.
std::string output_of(const std::vector<std::string>& words) {
  int ends[2];
  if (pipe(ends) != 0) return "";
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  const bool runs = posix_spawn(&child, words[0].c_str(), &actions, nullptr, arguments.data(), environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string out;
  char buffer[4096];
  for (ssize_t n; runs && (n = read(ends[0], buffer, sizeof buffer)) > 0;)
    out.append(buffer, static_cast<std::size_t>(n));
  close(ends[0]);
  int status = 1;
  if (runs) waitpid(child, &status, 0);
  return status == 0 ? out : "";
}

std::vector<double> numbers_in(const std::string& text) {
  std::vector<double> numbers;
  const char* at = text.c_str();
  for (char* end = nullptr;; at = end) {
    const double number = std::strtod(at, &end);
    if (end == at) return numbers;
    numbers.push_back(number);
  }
}

void play_out(const Game& game) {
  SimulateSettings settings;
  settings.games = 1;
  settings.threads = 1;
  simulate(game, settings);
}
void play_stepwise(const Game& game) {
  State state = game.new_state(1, 0);
  while (!state.is_over()) state.apply(state.random_index());
}

}   // namespace

int run_child(const std::string& what, const std::string& name, int players) {
  const double start = now(CLOCK_PROCESS_CPUTIME_ID);
  const Ruleset rules = Ruleset::load(name);
  const Game interp = rules.compile({players, {}}, EngineKind::interpreter);
  const double ready = now(CLOCK_PROCESS_CPUTIME_ID), clock = now(CLOCK_MONOTONIC);
  if (what == "playout") play_out(rules.compile({players, {}}, EngineKind::jit));
  if (what == "stepwise") play_stepwise(rules.compile({players, {}}, EngineKind::jit));
  const double end = now(CLOCK_PROCESS_CPUTIME_ID), end_clock = now(CLOCK_MONOTONIC);
  std::printf("%.6f %.6f %.6f %.0f\n", ready - start, end - ready, end_clock - clock, reference_rate());
  return 0;
}

Starting measure_starting(const std::string& game, int players, bool jit, int runs) {
  char self[4096] = "";
  if (readlink("/proc/self/exe", self, sizeof self - 1) < 0) return {};
  struct Samples {
    std::vector<double> seconds, work;
    void add(double time, double rate) { seconds.push_back(time), work.push_back(time * rate); }
    Time middle() const { return seconds.empty() ? Time() : Time{median(seconds), median(work)}; }
  } program, playout, stepwise;
  std::vector<double> clock;
  const auto child = [&](const char* what, Samples& form) {
    const std::vector<double> measured = numbers_in(output_of({self, "--child", what, std::to_string(players), game}));
    if (measured.size() != 4) return;
    program.add(measured[0], measured[3]);
    form.add(measured[1], measured[3]);
    if (&form == &playout) clock.push_back(measured[2]);
  };
  for (int run = 0; run < runs; ++run) {
    child(jit ? "playout" : "program", playout);
    if (jit) child("stepwise", stepwise);
  }
  if (!jit) return {program.middle(), {}, 0, {}};
  return {program.middle(), playout.middle(), clock.empty() ? 0 : median(clock), stepwise.middle()};
}

double measure_command(const std::vector<std::string>& words, int runs) {
  std::vector<double> times;
  for (int run = 0; run < runs; ++run) {
    const double start = now(CLOCK_MONOTONIC);
    if (output_of(words).empty()) return 0;
    times.push_back(now(CLOCK_MONOTONIC) - start);
  }
  return median(times);
}

}   // namespace bench
