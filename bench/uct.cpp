// See uct.h.
#include "bench/uct.h"

#include <cmath>
#include <vector>

namespace bench {

namespace {

using cardwright::api::State;

struct Node {
  int player = -1;                   // who chose to come here
  std::uint32_t visits = 0;
  double sum = 0;                    // of what it brought that player
  std::uint32_t first_child = 0, children = 0;
};

class Tree {
 public:
  Tree(const State& root, double constant) : root_(root), state_(root), constant_(constant) { nodes_.emplace_back(); }

  void simulate(std::uint64_t seed) {
    state_ = root_;
    path_.assign(1, 0);
    while (!state_.is_over() && nodes_[path_.back()].visits > 0) {
      if (nodes_[path_.back()].children == 0) expand(path_.back());
      const std::uint32_t child = best_child(nodes_[path_.back()]);
      state_.apply(child - nodes_[path_.back()].first_child);
      path_.push_back(child);
    }
    if (!state_.is_over()) {
      state_.reseed(seed);
      state_.playout();
    }
    back_up();
  }

  std::size_t most_visited() const {
    const Node& root = nodes_[0];
    std::uint32_t best = 0;
    for (std::uint32_t i = 1; i < root.children; ++i)
      if (nodes_[root.first_child + i].visits > nodes_[root.first_child + best].visits) best = i;
    return best;
  }

 private:
  void expand(std::uint32_t parent) {
    Node child;
    child.player = state_.actor();
    nodes_[parent].first_child = static_cast<std::uint32_t>(nodes_.size());
    nodes_[parent].children = static_cast<std::uint32_t>(state_.legal_count());
    nodes_.resize(nodes_.size() + state_.legal_count(), child);
  }

  // Those never tried first, in their order.
  std::uint32_t best_child(const Node& parent) const {
    const double reach = constant_ * std::sqrt(std::log(static_cast<double>(parent.visits)));
    std::uint32_t best = parent.first_child;
    double most = -1e9;
    for (std::uint32_t i = parent.first_child; i < parent.first_child + parent.children; ++i) {
      const Node& child = nodes_[i];
      if (child.visits == 0) return i;
      const double n = child.visits, bound = child.sum / n + reach / std::sqrt(n);
      if (bound > most) most = bound, best = i;
    }
    return best;
  }

  // A player's part of the game is what it paid them less what it paid the others in the mean.
  void back_up() {
    const std::vector<std::int64_t> returns = state_.returns();
    double all = 0;
    for (const std::int64_t r : returns) all += static_cast<double>(r);
    const double others = static_cast<double>(returns.size()) - 1;
    for (const std::uint32_t at : path_) {
      Node& node = nodes_[at];
      ++node.visits;
      if (node.player < 0) continue;
      const double own = static_cast<double>(returns[static_cast<std::size_t>(node.player)]);
      node.sum += others > 0 ? own - (all - own) / others : own;
    }
  }

  const State& root_;
  State state_;
  double constant_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> path_;
};

}  // namespace

Search uct(const State& state, std::uint64_t simulations, double constant, std::uint64_t seed) {
  Tree tree(state, constant);
  for (std::uint64_t i = 0; i < simulations; ++i) tree.simulate(seed * simulations + i);
  return {tree.most_visited(), simulations};
}

}  // namespace bench
