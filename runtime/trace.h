// Records every decision of a game, and writes a complete State as JSON, for tests and `--trace`.
#pragma once

#include <vector>

#include <nlohmann/json.hpp>

#include "runtime/program/program.h"
#include "runtime/ops/game.h"

namespace cardwright {

struct TracedDecision {
  Int player = -1;
  Int options = 0;
  Int index = 0;
  Int id = -1;   // id of the option; -1 if it was not reported
  std::uint64_t rules_hash = 0;   // hash of the rules state at the decision
  friend bool operator==(const TracedDecision&, const TracedDecision&) = default;
};

class DecisionTrace : public TraceSink {
 public:
  void decided(Game& g, const Byte* s, Int player, Int options, Int index) override;
  void chosen(Game& g, const Byte* s, Int id) override;
  void leaned(Game& g, const Byte* s, Int index) override;
  const std::vector<TracedDecision>& decisions() const { return decisions_; }
  void clear() { decisions_.clear(); }

 private:
  std::vector<TracedDecision> decisions_;
};

// Returns the printed text of each card, by card id.
nlohmann::json cards_json(const Program& program);

// Returns everything that can change: zones with the ids of their cards, the known order of piles, variables, and the
// players still in the game, so that an external program can replay and check a game.
nlohmann::json state_json(const Program& program, const Byte* s);

}   // namespace cardwright
