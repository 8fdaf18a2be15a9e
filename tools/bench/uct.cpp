// Implements the UCT search with which bench_table measures the engines.
#include "tools/bench/uct.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace bench {

namespace {

using cardwright::api::State;

// A choice and the position after it. The size is half a cache line.
struct Node {
  double sum = 0;   // payoffs of the player who made the choice
  double shrink = 0;   // 1 / sqrt(visits)
  std::uint32_t visits = 0;
  std::uint32_t first_child = 0;   // the children are consecutive
  std::uint32_t children = 0;   // 0: not expanded
  std::int32_t player = -1;   // the deciding player
};

class Tree {
 public:
  Tree(const State& root, double constant) : root_(root), state_(root), constant_(constant) { nodes_.emplace_back(); }

  void simulate(std::uint64_t seed) {
    state_ = root_;
    path_.assign(1, 0);
    while (!state_.is_over() && nodes_[path_.back()].visits > 0) {
      if (nodes_[path_.back()].children == 0) expand(nodes_[path_.back()]);
      const Node& parent = nodes_[path_.back()];
      const std::uint32_t tried = parent.visits - 1;   // the first visit ended at this node
      const std::uint32_t child = tried < parent.children ? parent.first_child + tried : best_child(parent);
      __builtin_prefetch(&nodes_[nodes_[child].first_child]);   // while the state advances
      state_.apply(child - parent.first_child);
      path_.push_back(child);
    }
    if (!state_.is_over()) {
      state_.reseed(seed);
      state_.playout();
    }
    back_up();
  }

  std::vector<std::uint32_t> visits() const {
    const Node& root = nodes_[0];
    std::vector<std::uint32_t> all;
    for (std::uint32_t i = 0; i < root.children; ++i) all.push_back(nodes_[root.first_child + i].visits);
    return all;
  }

 private:
  void expand(Node& parent) {
    parent.player = state_.actor();
    parent.first_child = static_cast<std::uint32_t>(nodes_.size());
    parent.children = static_cast<std::uint32_t>(state_.legal_count());
    nodes_.resize(nodes_.size() + state_.legal_count());   // invalidates references to the parent
  }

  // Returns the child with the highest mean + constant * sqrt(log(visits of the parent) / visits); the first one if
  // several are equal.
  std::uint32_t best_child(const Node& parent) {
    const double reach = reach_of(parent.visits);
    std::uint32_t best = parent.first_child;
    double most = -1e9;
    for (std::uint32_t i = parent.first_child; i < parent.first_child + parent.children; ++i) {
      const Node& child = nodes_[i];
      const double bound = child.shrink * (child.sum * child.shrink + reach);
      if (bound > most) most = bound, best = i;
    }
    return best;
  }
  // Returns the exploration term for a parent with this number of visits. The root has the most visits, so the
  // table grows by one entry per simulation.
  double reach_of(std::uint32_t visits) {
    while (reaches_.size() <= visits)
      reaches_.push_back(constant_ * std::sqrt(std::log(static_cast<double>(reaches_.size()))));
    return reaches_[visits];
  }

  // The payoff of a player is reduced by the mean payoff of the others.
  void back_up() {
    const std::vector<std::int64_t> returns = state_.returns();
    double all = 0;
    for (const std::int64_t r : returns) all += static_cast<double>(r);
    const double others = static_cast<double>(returns.size()) - 1;
    int player = -1;   // the player whose choice led here
    for (const std::uint32_t at : path_) {
      Node& node = nodes_[at];
      ++node.visits;
      node.shrink = 1 / std::sqrt(static_cast<double>(node.visits));
      if (player >= 0) {
        const double own = static_cast<double>(returns[static_cast<std::size_t>(player)]);
        node.sum += others > 0 ? own - (all - own) / others : own;
      }
      player = node.player;
    }
  }

  const State& root_;
  State state_;
  double constant_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> path_;
  std::vector<double> reaches_;   // by visits of a parent: constant * sqrt(log(visits))
};

}   // namespace

Search uct(const State& state, std::uint64_t simulations, double constant, std::uint64_t seed) {
  Tree tree(state, constant);
  for (std::uint64_t i = 0; i < simulations; ++i) tree.simulate(seed * simulations + i);
  std::vector<std::uint32_t> visits = tree.visits();
  const auto most = static_cast<std::size_t>(std::max_element(visits.begin(), visits.end()) - visits.begin());
  return {most, simulations, std::move(visits)};
}

}   // namespace bench
