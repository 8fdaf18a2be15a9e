// Declares the types and functions that all searches share: the root decision, the budget, the search loop and the
// choice of the final option.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "runtime/search/table.h"
#include "runtime/search/world.h"

namespace cardwright::search {

// The decision for which the search is run.
struct Root {
  Int player = 0;
  std::vector<Int> options;   // ids of the options to try, ascending
  std::vector<Int> indices;   // their indices among all options offered
  bool together = false;   // true if other players decide simultaneously
  bool halving = false;   // true to use sequential halving (runtime/search/halving.h)
  Int turns = 0;   // number of turns to look ahead, of all players together; 0: play to the end of the game
};

// The results of an option.
struct Tried {
  std::uint64_t visits = 0;
  double sum = 0;   // of returns
  double weight = 0;   // for simultaneous decisions: sum of the option's probabilities in the mixed strategies
  Proven proven = Proven::open;
  double mean() const { return visits != 0 ? sum / static_cast<double>(visits) : 0; }
};

struct Budget {
  std::uint64_t iterations = 0;   // maximum number of iterations; 0: use the deadline `until`
  std::chrono::steady_clock::time_point until;
  const std::atomic<bool>* stop = nullptr;   // ends the search early when set
};

// One search, used by one thread with its own Source.
class Searcher {
 public:
  virtual ~Searcher() = default;
  // Runs one iteration. Returns false if no world was found.
  virtual bool iterate() = 0;
  virtual std::vector<Tried> tried() const = 0;   // returns the results, one for each of Root::options
  virtual void progress(double) {}   // called occasionally with the share of the budget used
  virtual bool is_settled() const { return false; }   // returns true if more iterations cannot change the result
};
std::unique_ptr<Searcher> make_ismcts(const Program& program, Engine& engine, Source& source, const Root& root,
                                      Word seed, std::size_t most_bytes);
std::unique_ptr<Searcher> make_flat(const Program& program, Engine& engine, Source& source, const Root& root,
                                    Word seed);

// Iterates until the budget is used up, the result is settled, or no world was found several times in a row. Returns
// the number of iterations.
std::uint64_t run(Searcher& searcher, const Budget& budget);

// Returns the number of turns to look ahead: two for each player in a long game whose rules can determine the leader at
// any time, otherwise 0.
Int turns_ahead(const Program& program, Engine& engine, Source& source, const Root& root, Word seed);

// Returns the index of the option to take: one that is proven to win; otherwise, among those not proven to lose, the
// most visited one, because the mean of few playouts is unreliable. With halving, it is the option with the best mean
// among those visited at least half as often as the most visited one. For simultaneous decisions, it is drawn from the
// mixed strategy. If no option was tried, it is an arbitrary option.
std::size_t chosen(const Root& root, const std::vector<Tried>& tried, Word seed);

// Returns independent seeds for consecutive indices.
Word seed_of(Word seed, Word index);

}   // namespace cardwright::search
