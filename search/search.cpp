// See search.h.
#include "search/search.h"

#include <algorithm>

#include "runtime/ops/random.h"

namespace cardwright::search {

namespace {

constexpr Int kLong = 150;   // decisions: beyond, a game is not played to its end
constexpr Int kRoundsAhead = 2;   // turns of everybody
constexpr std::uint64_t kMostWithout = 20;   // worlds that are not found; then what was played has to do
constexpr std::uint64_t kLooks = 8;   // at the clock, after so many iterations
constexpr double kSeldom = 0.5;   // of an even share: a mixed strategy leaves out what is rarer, it is only tried

}  // namespace

Word seed_of(Word seed, Word index) { return mix_word(seed + (index + 1) * kGoldenGamma); }

std::uint64_t run(Searcher& searcher, const Budget& budget) {
  std::uint64_t done = 0, without = 0;
  for (std::uint64_t i = 0; budget.iterations != 0 ? i < budget.iterations : true; ++i) {
    if (budget.iterations == 0 && i % kLooks == 0 && std::chrono::steady_clock::now() >= budget.until) break;
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
  double kept = 0;
  for (const Tried& one : tried) kept += one.weight >= least ? one.weight : 0;
  double at = static_cast<double>(mix_word(seed) >> 11) * 0x1p-53 * kept;
  std::size_t last = 0;
  for (std::size_t i = 0; i < tried.size(); ++i) {
    if (tried[i].weight < least) continue;
    last = i;
    if ((at -= tried[i].weight) < 0) break;
  }
  return last;
}

}  // namespace

std::size_t chosen(const Root& root, const std::vector<Tried>& tried, Word seed) {
  const bool any = std::any_of(tried.begin(), tried.end(), [](const Tried& one) { return one.visits > 0; });
  if (!any) return static_cast<std::size_t>(mix_word(seed) % root.options.size());
  const bool mixed =
      root.together && std::any_of(tried.begin(), tried.end(), [](const Tried& one) { return one.weight > 0; });
  if (mixed) return drawn_by_weight(tried, seed);
  std::size_t best = 0;
  for (std::size_t i = 1; i < tried.size(); ++i)
    if (tried[i].visits > tried[best].visits ||
        (tried[i].visits == tried[best].visits && tried[i].mean() > tried[best].mean()))
      best = i;
  return best;
}

}  // namespace cardwright::search
