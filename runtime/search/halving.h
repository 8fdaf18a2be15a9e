// Which option of the decision that is searched is tried next, where luck decides much: all alike at first, and then,
// with each part of the budget, the better half of those that are left (sequential halving: Karnin, Koren, Somekh,
// "Almost optimal exploration in multi-armed bandits", 2013; at the root of a tree: Pepels, Cazenave, Winands, Lanctot,
// "Minimizing simple and cumulative regret in Monte-Carlo tree search", 2014). Whatever UCB1's constant is, in one game
// it stays with what was lucky at first, and in another it tries all alike to the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cardwright::search {

struct Tried;

class Halving {
 public:
  explicit Halving(std::size_t options);

  // That share of the budget is used up, from 0 to 1, and this is what came of it.
  void progress(double share, const std::vector<Tried>& tried);
  bool is_due(double share) const { return left_.size() > 2 && static_cast<int>(share * rounds_) > round_; }
  // Of those that are left the one that was given out least often.
  std::size_t next();

 private:
  std::vector<std::size_t> left_;
  std::vector<std::uint64_t> given_;   // by option
  int rounds_, round_ = 0;
};

}   // namespace cardwright::search
