// Implements the search loop, its limits, and the choice of the final option.
#include "runtime/search/search.h"

#include <algorithm>
#include <tuple>

#include "runtime/ops/random.h"

namespace cardwright::search {

namespace {

constexpr Int kLong = 150;   // length in decisions; longer games are not played to the end
constexpr Int kRoundsAhead = 2;   // number of turns of each player to look ahead
// Maximum number of consecutive failures to find a world; after these, the search ends with the results so far.
constexpr std::uint64_t kMostWithout = 20;
constexpr std::uint64_t kClockInterval = 8;   // iterations between checks of the clock
// Options with less than this fraction of an equal share are left out of the mixed strategy, because they were chosen
// only for exploration.
constexpr double kSeldom = 0.5;

}   // namespace

Word seed_of(Word seed, Word index) { return mix_word(seed + (index + 1) * kGoldenGamma); }

std::uint64_t run(Searcher& searcher, const Budget& budget) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  const auto used = [&](std::uint64_t made) {
    if (budget.iterations != 0) return static_cast<double>(made) / static_cast<double>(budget.iterations);
    const Clock::time_point now = Clock::now();
    return now >= budget.until ? 1 : std::chrono::duration<double>(now - begin) / (budget.until - begin);
  };
  std::uint64_t done = 0, without = 0;
  for (std::uint64_t i = 0; !searcher.is_settled(); ++i) {
    if (i % kClockInterval == 0 || i == budget.iterations) {
      const double share = used(i);
      if (share >= 1 || (budget.stop && *budget.stop)) break;
      searcher.progress(share);
    }
    if (searcher.iterate())
      ++done;
    else if (++without == kMostWithout)
      break;
  }
  return done;
}

Int turns_ahead(const Program& program, Engine& engine, Source& source, const Root& root, Word seed) {
  if (program.horizon < 0 || program.race) return 0;
  const Byte* const from = source.draw(seed);
  if (from == nullptr) return 0;
  World world(program, engine);
  world.take(from, root.player);
  const Int before = world.decisions();
  world.step(root.indices[0]);
  look_ahead(program, world.bytes(), 0);
  world.play_on();
  return world.decisions() - before > kLong ? kRoundsAhead * program.layout.players : 0;
}

namespace {

std::size_t drawn_by_weight(const std::vector<Tried>& tried, Word seed) {
  double all = 0;
  for (const Tried& one : tried) all += one.weight;
  const double least = kSeldom * all / static_cast<double>(tried.size());
  double total = 0;
  for (const Tried& one : tried) total += one.weight >= least ? one.weight : 0;
  double at = static_cast<double>(mix_word(seed) >> 11) * 0x1p-53 * total;
  std::size_t last = 0;
  for (std::size_t i = 0; i < tried.size(); ++i) {
    if (tried[i].weight < least) continue;
    last = i;
    if ((at -= tried[i].weight) < 0) break;
  }
  return last;
}

}   // namespace

std::size_t chosen(const Root& root, const std::vector<Tried>& tried, Word seed) {
  const bool any = std::any_of(tried.begin(), tried.end(), [](const Tried& one) { return one.visits > 0; });
  if (!any) return static_cast<std::size_t>(mix_word(seed) % root.options.size());
  const bool mixed =
      root.together && std::any_of(tried.begin(), tried.end(), [](const Tried& one) { return one.weight > 0; });
  if (mixed) return drawn_by_weight(tried, seed);
  std::uint64_t most = 0;
  for (const Tried& one : tried) most = std::max(most, one.visits);
  const auto rank = [&](const Tried& one) {
    const int sure = one.proven == Proven::won ? 1 : one.proven == Proven::lost ? -1 : 0;
    const std::uint64_t visits = root.halving ? 2 * one.visits >= most : one.visits;
    return std::tuple(sure, visits, one.mean());
  };
  std::size_t best = 0;
  for (std::size_t i = 1; i < tried.size(); ++i)
    if (rank(tried[i]) > rank(tried[best])) best = i;
  return best;
}

}   // namespace cardwright::search
