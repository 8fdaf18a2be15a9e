// Hashes the public information of a State, so that a search treats positions that look the same to every player as one
// position, no matter how they were reached.
#pragma once

#include <vector>

#include "runtime/program/program.h"

namespace cardwright::search {

class Sight {
 public:
  explicit Sight(const Program& program);

  // Hashes all public information: players in the game, variables that are not secret, cards in public zones, visible
  // top cards, and the sizes of other zones. In games without hidden information, hashes the rules state.
  Word hash(const Byte* s);
  // Returns true if only the deciding player may know this decision.
  bool is_secret(Int site, Int option) const;
  // Returns true if all players see everything.
  bool is_perfect() const { return perfect_; }

 private:
  void add(Int offset, Int bytes);

  const Program& program_;
  bool perfect_ = false, secret_actions_ = false;
  struct Piece {
    Int offset, bytes;
  };
  std::vector<Piece> pieces_;   // ascending and not adjacent
  std::vector<Int> counted_;   // zone instances whose size is public
  std::vector<Byte> seen_;   // buffer for all public information
};

}   // namespace cardwright::search
