// What all players see of a State, as a hash: positions that look alike to everybody are one position to a search,
// however they were reached.
#pragma once

#include <vector>

#include "runtime/program/program.h"

namespace cardwright::search {

class Sight {
 public:
  explicit Sight(const Program& program);

  // Of all that everybody may know: who is in, variables that are not secret, cards in zones that all see into, which
  // lies on top of them, and how many cards lie in the others. Where nothing is ever hidden, of the rules state.
  Word hash(const Byte* s);
  // Nobody but who decides may know this decision.
  bool is_secret(Int site, Int option) const;
  // All players see all there is.
  bool is_perfect() const { return perfect_; }

 private:
  void add(Int offset, Int bytes);

  const Program& program_;
  bool perfect_ = false, secret_actions_ = false;
  struct Piece {
    Int offset, bytes;
  };
  std::vector<Piece> pieces_;   // ascending, none next to another
  std::vector<Int> counted_;   // zone instances of which all see how many cards there are
  std::vector<Byte> seen_;   // room for all of it
};

}   // namespace cardwright::search
