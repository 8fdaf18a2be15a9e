// Reads and writes the results of bench_table as JSON, and compares two result files.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace bench {

struct Speed {
  std::string game;
  int players = 0;
  std::string engine;   // interp, jit, hand
  // playout, stepwise, search (likewise, without knowledge, on copies of openings), listed (with the list of options),
  // uct
  std::string form;
  double per_second = 0;   // decisions; uct: simulations
  double games_per_second = 0;   // uct: searches
  double to_reference = 0;
  std::optional<double> to_hand;   // relative to the handwritten game
};

struct Weight {   // of a compiled game
  std::string game;
  int players = 0;
  double program_ms = 0, playout_ms = 0, playout_clock_ms = 0, stepwise_ms = 0;
  double program_work = 0, playout_work = 0, stepwise_work = 0;   // decisions of the reference in the same time
  double state_bytes = 0, playout_bytes = 0, rules_bytes = 0, clone_ns = 0;
};

struct Results {
  std::string version, processor;
  int runs = 0;
  double seconds = 0;   // per run
  double reference = 0;   // decisions per second
  double start_ms = 0;   // of `cardwright --version`
  double random_ns = 0, wrongly_foreseen_ns = 0;   // handwritten::Limits
  std::vector<Speed> speeds;
  std::vector<Weight> weights;
};

void write_results(const Results& results, const std::string& file);   // both throw std::runtime_error
Results read_results(const std::string& file);

// The changes, one per line. Speeds and compile times are compared by their ratios to the reference. A loss is more
// than 5 % of speed or size, or more than 10 % of compile time, which varies more.
struct Difference {
  std::string text;
  int losses = 0;
};
Difference compare(const Results& before, const Results& after);

}   // namespace bench
