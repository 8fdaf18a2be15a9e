// A State that a search steps: without knowledge, in memory that is used again, by whatever engine there is.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "runtime/program/program.h"
#include "runtime/engine.h"

namespace cardwright::search {

// Where worlds come from in which the searcher may be, for all that they know.
class Source {
 public:
  virtual ~Source() = default;
  // Bytes of a State that keeps no knowledge and in which the searcher has the options that they have in truth; the
  // same for the same seed. They are there until the next call. Null if no world is found.
  virtual const Byte* draw(Word seed) = 0;
};

// From here on players do only what is sensible (in real time they do anyway), and after so many turns and rounds (0:
// never) the play is over. A State of a game would no longer be the same.
void look_ahead(const Program& program, Byte* s, Int turns);

class World {
 public:
  World(const Program& program, Engine& engine);

  // Copies what a State without knowledge needs, of one that waits for this player's decision.
  void take(const Byte* from, Int player);
  // Takes the option with this index, and runs to the next decision or the end.
  void step(Int choice);
  // Ids of the options that are pending, ascending. Valid until the world changes.
  std::span<const Int> list();
  // Draws every decision that is left.
  void play_on();
  // To be paid, of each player, when it is over: 0 where a rule went wrong. `winner`: as if only that one won, where
  // rules say no more than who does.
  std::span<const Int> returns(Int winner = kNone);

  bool is_over() const { return over_; }
  Int player() const { return player_; }
  Int options() const { return options_; }   // how many are pending, after a step
  Int site() const { return site_; }
  Int decisions() const;   // of the game so far
  Byte* bytes() { return bytes_.get(); }
  const Program& program() const { return program_; }

 private:
  void take_over(Status status);

  const Program& program_;
  Engine& engine_;
  Game context_;
  std::unique_ptr<Byte[]> bytes_;   // aligned for Words by new[]
  std::vector<Int> ids_, returns_;
  Int player_ = -1, options_ = 0, site_ = -1;
  bool over_ = false, failed_ = false;
};

}   // namespace cardwright::search
