// What all searches take and give.
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

// The decision that is searched.
struct Root {
  Int player = 0;
  std::vector<Int> options;   // ids of those that are tried, ascending
  std::vector<Int> indices;   // where they stand among all that are offered
  bool together = false;   // others answer at the same time
  bool halving = false;   // of options the better halves are tried on (runtime/search/halving.h)
  Int turns = 0;   // how many turns of everybody are looked ahead; 0: to the end
};

// How often an option was tried, and what that brought.
struct Tried {
  std::uint64_t visits = 0;
  double sum = 0;   // of returns
  double weight = 0;   // where answers are given together: how often it was to be taken
  Proven proven = Proven::open;
  double mean() const { return visits != 0 ? sum / static_cast<double>(visits) : 0; }
};

struct Budget {
  std::uint64_t iterations = 0;   // if not 0, else from now until then
  std::chrono::steady_clock::time_point until;
  const std::atomic<bool>* stop = nullptr;   // ends it early when it is set
};

// One search: for one thread, with a source of its own.
class Searcher {
 public:
  virtual ~Searcher() = default;
  // False where no world was found.
  virtual bool iterate() = 0;
  virtual std::vector<Tried> tried() const = 0;   // by Root::options
  virtual void progress(double) {}   // told now and then which share of the budget is used up
  virtual bool is_settled() const { return false; }   // more iterations can't tell more
};
std::unique_ptr<Searcher> make_ismcts(const Program& program, Engine& engine, Source& source, const Root& root,
                                      Word seed, std::size_t most_bytes);
std::unique_ptr<Searcher> make_flat(const Program& program, Engine& engine, Source& source, const Root& root,
                                    Word seed);

// Iterates until the budget is used up, all is settled, or no world was found a score of times. How often it did.
std::uint64_t run(Searcher& searcher, const Budget& budget);

// How many turns to look ahead in a game like this: two of everybody where one is long and its rules say who is in
// front when the play is over, else 0.
Int turns_ahead(const Program& program, Engine& engine, Source& source, const Root& root, Word seed);

// Index of the option to take: one that is sure to win, else, of those that are not sure to lose, the one that was
// tried most, a mean over few playouts says little. With halving, of those that were tried at least half as often as
// any the one with the best mean. Where answers are given together, one drawn from the mixed strategy. None was tried:
// any.
std::size_t chosen(const Root& root, const std::vector<Tried>& tried, Word seed);

// Independent seeds from consecutive numbers.
Word seed_of(Word seed, Word index);

}   // namespace cardwright::search
