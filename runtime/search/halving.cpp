// Implements sequential halving for the options at the root.
#include "runtime/search/halving.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "runtime/search/search.h"

namespace cardwright::search {

Halving::Halving(std::size_t options)
    : left_(options), given_(options), rounds_(options > 1 ? std::bit_width(options - 1) : 1) {
  std::iota(left_.begin(), left_.end(), std::size_t{0});
}

void Halving::progress(double share, const std::vector<Tried>& tried) {
  for (; is_due(share); ++round_) {
    std::stable_sort(left_.begin(), left_.end(), [&](std::size_t one, std::size_t other) {
      const Tried &a = tried[one], &b = tried[other];
      return (a.visits > 0) != (b.visits > 0) ? a.visits > 0 : a.mean() > b.mean();
    });
    left_.resize((left_.size() + 1) / 2);
  }
}

std::size_t Halving::next() {
  const std::size_t least = *std::min_element(
      left_.begin(), left_.end(), [&](std::size_t one, std::size_t other) { return given_[one] < given_[other]; });
  ++given_[least];
  return least;
}

}   // namespace cardwright::search
