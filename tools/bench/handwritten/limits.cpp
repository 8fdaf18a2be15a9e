// Measures the minimum cost of drawing a random number on this machine, which is a lower bound for every engine.
#include <algorithm>

#include "tools/bench/handwritten/hand.h"
#include "tools/bench/handwritten/references.h"
#include "tools/bench/measure.h"

namespace handwritten {

namespace {

constexpr int kDraws = 20'000, kSlices = 200;

// Returns the nanoseconds per draw of the fastest slice.
template <class Slice>
double ns_per_draw(Slice slice) {
  double best = 1e9;
  Word stream = 1;
  for (int i = 0; i < kSlices; ++i) {
    const double start = bench::now(CLOCK_THREAD_CPUTIME_ID);
    for (int k = 0; k < kDraws; ++k) slice(stream);
    best = std::min(best, bench::now(CLOCK_THREAD_CPUTIME_ID) - start);
  }
  return best / kDraws * 1e9;
}

}   // namespace

Limits measure_limits() {
  Word sum = 0, other = 0;
  const double random = ns_per_draw([&](Word& stream) { sum += below(stream, 7); });
  const double deciding = ns_per_draw([&](Word& stream) {
    // The compiler cannot merge these two branches; each is taken with probability 1/2.
    if (below(stream, 2) == 0)
      asm volatile("inc %0" : "+r"(sum));
    else
      asm volatile("inc %0" : "+r"(other));
  });
  asm volatile("" : : "r"(sum), "r"(other));
  return {random, 2 * (deciding - random)};
}

}   // namespace handwritten
