// Defines the interface between a host and an engine. The interpreter and the JIT implement it; a State can move from
// one to the other.
//
//   play_game  plays a whole game in playout form in a State that it creates; needs only [0, Layout::live_end),
//              whose previous contents do not matter
//   playout    plays a whole game from a new State
//   step       runs until a decision is pending, the game is done or a trap occurs. The host first stores its choice in
//              Game::choice
//   list       writes the ids of the pending decision's options to Game::offers
//   play_on    plays a State in the middle of a game to its end and draws every decision as a playout does
//   call       calls a function that cannot suspend, such as a claim of a scenario, the payoff or an explanation
#pragma once

#include <span>

#include "runtime/program/program.h"
#include "runtime/ops/game.h"

namespace cardwright {

enum class Status : std::int32_t {
  ok = 0,   // the function returned; from a step function: the stack of frames changed, so call it again
  trapped = 1,   // a trap occurred; Game::trap contains the reason
  pending = 2,   // a decision is pending: see Game::pending_player, pending_options, pending_site
  listed = 3,
  done = 4,   // the main function has returned
};

class Engine {
 public:
  explicit Engine(const Program& program) : program_(program) {}
  virtual ~Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  const Program& program() const { return program_; }

  // Plays a whole game from a new State. Implementations call begin() first.
  virtual Status playout(Game& g, Byte* s) = 0;
  // Plays the game with this index in the run with this key (ops/random.h).
  virtual Status play_game(Game& g, Byte* s, Word run, Word game_index);
  virtual Status call(Game& g, Byte* s, ir::FunctionIndex function, std::span<const Int> arguments, Int* result) = 0;

  // Calls run_top() until a decision is pending, the game is done, or a trap occurs.
  virtual Status step(Game& g, Byte* s);
  // Requires a pending decision and Game::offers. Counts options beyond offers_capacity without writing them.
  virtual Status list(Game& g, Byte* s, Int what = 1);
  virtual Status play_on(Game& g, Byte* s);

  // Runs the step function of the top frame and returns the status of its `to_host`, or trapped. If the status is `ok`,
  // the engine may also have run the frames that became the top frame afterwards. On a trap, the engine pushes the
  // functions of its native stack onto the rule stack; step() adds the suspended frames below.
  virtual Status run_top(Game& g, Byte* s) = 0;

 protected:
  // Refills the fuel (the limit on the work per decision) and clears the trap and any leftover choice. Does not change
  // Game::choice.
  void begin(Game& g, Int knowledge) const;
  // Calls begin() with the kind of knowledge that the rules query, or with all knowledge if there is a trace or log.
  void begin_playout(Game& g) const;

 private:
  Status loop(Game& g, Byte* s);
  const Program& program_;
};

// Pushes the function `of`, which ended with a trap, onto the rule stack if it is shown and there is room. If `of` was
// joined to another function, also pushes its callers up to `function`.
void push_levels(Game& g, const Program& program, ir::FunctionIndex function, ir::FunctionIndex of, Range where);
// Pushes the suspended frames below the top one onto the rule stack, so that both forms report the same rule stack.
void push_frames_below(Game& g, const Program& program, const Byte* s);

}   // namespace cardwright
