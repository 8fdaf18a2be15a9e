// Other cards in the places of those that lie there: an exchange is carried out wherever in a State the id of a card
// stands. What that can be is found once for a Program.
#pragma once

#include <set>
#include <span>
#include <utility>
#include <vector>

#include "runtime/program/program.h"

namespace cardwright {

// Where States of a Program hold cards beside their zones, and what in them is secret.
struct HiddenThings {
  explicit HiddenThings(const Program& program);

  // what an entry of the queue keeps that is a card, or a set of them: block and argument
  std::set<std::pair<Int, Int>> queued_ints, queued_sets;
  std::vector<Int> card_variables, card_set_variables;
  struct Pool {
    Int variable;   // what is left in it
    std::vector<Int> dealt;   // the secret variables to which it was dealt
  };
  std::vector<Pool> pools;
  std::vector<Int> made_up;   // secret variables whose values come from nowhere
};

// Which card comes where a card lies.
class Exchange {
 public:
  // In `becomes`, by id of a card; those that stay become themselves. A permutation of the cards. It must outlive this.
  Exchange(const Program& program, const HiddenThings& things, std::span<const Int> becomes);
  bool moves_any() const { return moves_any_; }
  // All of it but who knows what.
  void carry_out(Byte* s) const;
  // Only in this set of cards.
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
