// Rates on a machine that others use, too, in time of this thread on the processor. A run is many short slices in which
// the same games are played, and between them the reference; what counts is its fastest slice, which nobody has
// disturbed, and of several runs the median. Two figures of different hours are compared by their ratios to the
// reference of their own run.
#pragma once

#include <time.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace bench {

inline double now(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

struct Settings {
  double seconds = 0.1;   // per run
  int runs = 5;
};

struct Rate {
  double per_second = 0;   // decisions, or simulations
  double games_per_second = 0;
  double to_reference = 0;   // per_second by the reference's
};

// Decisions per second of some milliseconds of the reference: crazy eights for 2, written by hand.
double reference_rate();

// play(index) plays a game, or does one search, and says how many decisions or simulations that were.
// A slice is at least `least` of them.
template <class Play>
Rate measure(const Settings& settings, Play&& play, std::uint64_t least = 8) {
  constexpr double kSlice = 0.004;   // as long as a thread mostly runs undisturbed
  const auto seconds_for = [&](std::uint64_t games, double& made) {
    const double start = now(CLOCK_THREAD_CPUTIME_ID);
    made = 0;
    for (std::uint64_t index = 0; index < games; ++index) made += static_cast<double>(play(index));
    return now(CLOCK_THREAD_CPUTIME_ID) - start;
  };
  double made = 0;
  seconds_for(1, made);   // the engine compiles what it needs …
  for (std::uint64_t warm = least; warm <= 64 && seconds_for(warm, made) < settings.seconds;) warm *= 2;
  // … and then a slice is so many games that it is long enough.
  std::uint64_t games = least;
  for (double spent; (spent = seconds_for(games, made)) < kSlice;)
    games = std::max(games + 1, static_cast<std::uint64_t>(static_cast<double>(games) *
                                                           std::min(8.0, 1.1 * kSlice / std::max(spent, 1e-6))));

  std::vector<double> times, ratios;
  for (int run = 0; run < settings.runs; ++run) {
    double best = 1e9, reference = 0, all = 0;
    for (int slice = 0; slice < 3 || all < settings.seconds; ++slice) {
      reference = std::max(reference, reference_rate());
      const double spent = seconds_for(games, made);
      best = std::min(best, spent);
      all += spent;
    }
    times.push_back(best);
    ratios.push_back(made / best / reference);
  }
  const double time = median(times);
  return {made / time, static_cast<double>(games) / time, median(ratios)};
}

}   // namespace bench
