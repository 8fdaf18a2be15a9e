// Exchanges cards in a State: replaces every stored id of an exchanged card by the id of another card. The list of
// places that can store card ids is computed once per Program.
#pragma once

#include <set>
#include <span>
#include <utility>
#include <vector>

#include "runtime/program/program.h"

namespace cardwright {

// Lists where States of a Program store cards outside zones, and which stored values are secret.
struct HiddenThings {
  explicit HiddenThings(const Program& program);

  // The arguments of queue entries that contain a card or a set of cards, as pairs (block, argument).
  std::set<std::pair<Int, Int>> queued_ints, queued_sets;
  std::vector<Int> card_variables, card_set_variables;
  struct Pool {
    Int variable;   // the variable with the counts that remain in the pool
    std::vector<Int> dealt;   // the secret variables dealt from it
  };
  std::vector<Pool> pools;
  std::vector<Int> made_up;   // secret variables that are not dealt from a pool
};

// Applies a permutation of cards to a State.
class Exchange {
 public:
  // `becomes` maps each card id to its replacement; it must be a permutation (cards that stay map to themselves) and
  // must outlive this object.
  Exchange(const Program& program, const HiddenThings& things, std::span<const Int> becomes);
  bool moves_any() const { return moves_any_; }
  // Applies the exchange to everything except the players' knowledge.
  void apply(Byte* s) const;
  // Applies the exchange to one set of cards.
  void map_set(Byte* at) const;

 private:
  Int mapped(Int card) const;
  void map_orders(Byte* s) const;
  void map_stamps(Byte* s) const;
  void map_queue(Byte* s) const;
  void map_frames(Byte* s) const;

  const Program& program_;
  const Layout& l_;
  const HiddenThings& things_;
  const std::span<const Int> becomes_;
  Word moved_[kMaxWords] = {};
  bool moves_any_ = false;
};

}   // namespace cardwright
