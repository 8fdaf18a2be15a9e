// Implements the flat search, the baseline for the tree search. Each iteration selects an option of the current
// decision by UCB1, takes it in a newly sampled world, and plays to the end at random. It stores no later positions.
#include <algorithm>
#include <cmath>

#include "runtime/search/logarithms.h"
#include "runtime/search/search.h"

namespace cardwright::search {

namespace {

class Flat final : public Searcher {
 public:
  Flat(const Program& program, Engine& engine, Source& source, const Root& root, Word seed)
      : source_(source), root_(root), seed_(seed), world_(program, engine), arms_(root.options.size()) {}

  bool iterate() override {
    const Byte* const from = source_.draw(seed_of(seed_, draws_++));
    if (from == nullptr) return false;
    const std::size_t arm = next_arm();
    world_.take(from, root_.player);
    world_.step(root_.indices[arm]);
    look_ahead(world_.program(), world_.bytes(), root_.turns);
    world_.play_on();
    const double value = static_cast<double>(world_.returns()[static_cast<std::size_t>(root_.player)]);
    least_ = std::min(least_, value), most_ = std::max(most_, value);
    arms_[arm].sum += value;
    ++arms_[arm].visits;
    ++played_;
    return true;
  }

  std::vector<Tried> tried() const override { return arms_; }

 private:
  // Selects the next option by UCB1. The returns are scaled to [0, 1], as UCB1 expects.
  std::size_t next_arm() const {
    std::size_t best = 0;
    double best_bound = -1;
    for (std::size_t i = 0; i < arms_.size(); ++i) {
      if (arms_[i].visits == 0) return i;
      const double bound = (arms_[i].mean() - least_) / (most_ - least_) +
                           std::sqrt(2 * logarithms().of(played_) / static_cast<double>(arms_[i].visits));
      if (bound > best_bound) best_bound = bound, best = i;
    }
    return best;
  }

  Source& source_;
  const Root& root_;
  const Word seed_;
  World world_;
  std::vector<Tried> arms_;
  double least_ = 0, most_ = 1;
  std::uint64_t played_ = 0, draws_ = 0;
};

}   // namespace

std::unique_ptr<Searcher> make_flat(const Program& program, Engine& engine, Source& source, const Root& root,
                                    Word seed) {
  return std::make_unique<Flat>(program, engine, source, root, seed);
}

}   // namespace cardwright::search
