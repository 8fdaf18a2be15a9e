// For tests and `--trace`: every decision of a game, and a State with everything in it as JSON.
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
  Int id = -1;   // -1: the rules never said which
  std::uint64_t rules_hash = 0;   // when the decision was made
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

// What is printed on each card, by its number.
nlohmann::json cards_json(const Program& program);

// Everything that can change: zones with the numbers of their cards, piles as far as their order is drawn, variables,
// who is in. So that somebody else's program can replay and check a game.
nlohmann::json state_json(const Program& program, const Byte* s);

}   // namespace cardwright
