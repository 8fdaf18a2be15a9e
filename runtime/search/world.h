// Defines the State that a search steps through. It stores no knowledge, reuses its memory and works with any engine.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "runtime/program/program.h"
#include "runtime/engine.h"

namespace cardwright::search {

// Samples worlds that are possible for the searching player.
class Source {
 public:
  virtual ~Source() = default;
  // Returns the bytes of a State without knowledge, in which the searching player has the same options as in the true
  // State, or null if no world is found. The same seed gives the same State. Valid until the next call.
  virtual const Byte* draw(Word seed) = 0;
};

// Prepares a State for a search: players follow the policy of bots and make only sensible decisions, as simulated
// players of real-time games always do. Play ends after `turns` more turns and rounds, counted together (0: no limit).
// The result is not a State of a normal game.
void look_ahead(const Program& program, Byte* s, Int turns);

class World {
 public:
  World(const Program& program, Engine& engine);

  // Copies a State in which this player decides, without copying knowledge.
  void take(const Byte* from, Int player);
  // Takes the option with this index, and runs to the next decision or the end.
  void step(Int choice);
  // Returns the ids of the pending options, ascending. Valid until the world changes.
  std::span<const Int> list();
  // Plays to the end and draws every decision.
  void play_on();
  // Returns the payoff of each player after the end, or 0 after a trap. With `winner`, returns the payoffs that apply
  // if only that player wins, for rules that define only winners.
  std::span<const Int> returns(Int winner = kNone);

  bool is_over() const { return over_; }
  Int player() const { return player_; }
  Int options() const { return options_; }   // number of pending options after a step
  Int site() const { return site_; }
  Int decisions() const;   // number of decisions in the game so far
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
