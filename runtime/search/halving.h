// Selects the next option to try at the root in games with much luck. At first all options are tried equally often; in
// each further part of the budget, only the better half of the remaining options is tried (sequential halving: Karnin,
// Koren, Somekh, "Almost optimal exploration in multi-armed bandits", 2013; at the root of a tree: Pepels, Cazenave,
// Winands, Lanctot, "Minimizing simple and cumulative regret in Monte-Carlo tree search", 2014). With UCB1, no single
// constant suits all games: in some games, the search stays with options that were lucky at first; in others, it still
// tries all options equally at the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cardwright::search {

struct Tried;

class Halving {
 public:
  explicit Halving(std::size_t options);

  // Reports the share of the budget used, from 0 to 1, and the results so far.
  void progress(double share, const std::vector<Tried>& tried);
  bool is_due(double share) const { return left_.size() > 2 && static_cast<int>(share * rounds_) > round_; }
  // Returns the remaining option that was selected least often.
  std::size_t next();

 private:
  std::vector<std::size_t> left_;
  std::vector<std::uint64_t> given_;   // number of selections, by option
  int rounds_, round_ = 0;
};

}   // namespace cardwright::search
