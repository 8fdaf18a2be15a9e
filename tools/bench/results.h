// Reads and writes the results of bench_table as JSON, and compares two result files.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace bench {

struct Speed {
  std::string game;
  int players = 0;
  std::string engine;   // "interp", "jit", or "hand" (handwritten)
  // "playout", "counted" (playout with the statistics of `simulate`), "stepwise", "search" (stepwise without knowledge,
  // on copies of positions), "listed" (stepwise with the list of options) or "uct".
  std::string form;
  double per_second = 0;   // decisions per second; for "uct", simulations per second
  double games_per_second = 0;   // for "uct", searches per second
  double to_reference = 0;
  std::optional<double> to_hand;   // `per_second` divided by the rate of the handwritten game
  double mean_per_second = 0, mean_length = 0;   // Rate; 0 in older files
};

struct Weight {   // compile times and sizes of a compiled game
  std::string game;
  int players = 0;
  double program_ms = 0, playout_ms = 0, playout_clock_ms = 0, stepwise_ms = 0;
  // The same times, measured as the number of decisions that the reference makes in that time.
  double program_work = 0, playout_work = 0, stepwise_work = 0;
  double state_bytes = 0, playout_bytes = 0, rules_bytes = 0, clone_ns = 0;
};

struct Results {
  std::string version, processor;
  int runs = 0;
  double seconds = 0;   // duration of a run
  double reference = 0;   // decisions per second of the reference
  double start_ms = 0;   // time of `cardwright --version`
  double random_ns = 0, wrongly_foreseen_ns = 0;   // handwritten::Limits
  std::vector<Speed> speeds;
  std::vector<Weight> weights;
};

void write_results(const Results& results, const std::string& file);   // like read_results, throws std::runtime_error
Results read_results(const std::string& file);

// The changes between two result files, one per line. Speeds and compile times are compared by their ratios to the
// reference. A change is a loss if speed or size is worse by more than 5 %, or compile time, which varies more, by more
// than 10 %.
struct Difference {
  std::string text;
  int losses = 0;
};
Difference compare(const Results& before, const Results& after);

}   // namespace bench
