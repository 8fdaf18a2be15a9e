// Measures rates in CPU time of this thread, on a machine that also runs other programs. A run consists of many short
// slices that play the same games, alternating with slices of the reference game. The result of a run is the rate of
// its fastest slice, which was disturbed the least; the result of several runs is their median. To compare results from
// different times, divide each by the rate of the reference in the same run. A slice contains only the first games of
// the run, which are too few to be typical if their lengths vary, so each run also plays other games and reports their
// mean.
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
  double seconds = 0.1;   // duration of a run
  int runs = 5;
};

struct Rate {
  double per_second = 0;   // number of decisions or simulations per second
  double games_per_second = 0;
  double to_reference = 0;   // per_second divided by the rate of the reference
  double mean_per_second = 0;   // like per_second, over all games of the runs instead of the fastest slice
  double mean_length = 0;   // decisions or simulations per game, over the same games
};

// Plays the reference, handwritten crazy eights for two players, for some milliseconds. Returns its decisions per
// second.
double reference_rate();

// Measures play(index), which plays a game or runs a search, and returns the number of decisions or simulations. Each
// slice calls it at least `least` times.
template <class Play>
Rate measure(const Settings& settings, Play&& play, std::uint64_t least = 8) {
  constexpr double kSlice = 0.004;   // time in seconds for which a thread usually runs undisturbed
  const auto seconds_for = [&](std::uint64_t games, double& made) {
    const double start = now(CLOCK_THREAD_CPUTIME_ID);
    made = 0;
    for (std::uint64_t index = 0; index < games; ++index) made += static_cast<double>(play(index));
    return now(CLOCK_THREAD_CPUTIME_ID) - start;
  };
  double made = 0;
  seconds_for(1, made);   // warm-up: the engine compiles the required code
  for (std::uint64_t warm = least; warm <= 64 && seconds_for(warm, made) < settings.seconds;) warm *= 2;
  // Determine the number of games in a slice, so that it takes at least kSlice.
  std::uint64_t games = least;
  for (double spent; (spent = seconds_for(games, made)) < kSlice;)
    games = std::max(games + 1, static_cast<std::uint64_t>(static_cast<double>(games) *
                                                           std::min(8.0, 1.1 * kSlice / std::max(spent, 1e-6))));

  std::vector<double> times, ratios;
  std::uint64_t next = 0;
  double mean_made = 0, mean_spent = 0;
  for (int run = 0; run < settings.runs; ++run) {
    double best = 1e9, reference = 0, all = 0;
    for (int slice = 0; slice < 3 || all < settings.seconds; ++slice) {
      reference = std::max(reference, reference_rate());
      const double spent = seconds_for(games, made);
      best = std::min(best, spent);
      all += spent;
    }
    for (double spent = 0; spent < settings.seconds;) {
      const double start = now(CLOCK_THREAD_CPUTIME_ID);
      for (const std::uint64_t end = next + games; next < end; ++next) mean_made += static_cast<double>(play(next));
      const double taken = now(CLOCK_THREAD_CPUTIME_ID) - start;
      spent += taken;
      mean_spent += taken;
    }
    times.push_back(best);
    ratios.push_back(made / best / reference);
  }
  const double time = median(times);
  return {made / time, static_cast<double>(games) / time, median(ratios), mean_made / mean_spent,
          mean_made / static_cast<double>(next)};
}

}   // namespace bench
