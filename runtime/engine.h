// What a host asks of an engine. The interpreter and the JIT implement it; a State may go from one to the other.
//
//   play_game a whole game in playout form, from a State that it makes; needs only [0, Layout::live_end), of any
//   content playout   likewise, of a fresh State
//   step      on to the next decision: pending, done or trapped. The host puts its choice into Game::choice first
//   list      ids of the pending decision's options into Game::offers
//   play_on   a State in the middle of a game to its end, drawing every decision as a playout does
//   call      a function that can't suspend: why, claims, payoff
#pragma once

#include <span>

#include "runtime/program/program.h"
#include "runtime/ops/game.h"

namespace cardwright {

enum class Status : std::int32_t {
  ok = 0,   // returned; of a step function: the frame stack changed, go on
  trapped = 1,   // Game::trap says why
  pending = 2,   // Game::pending_player, pending_options, pending_site
  listed = 3,
  done = 4,   // the main frame is gone
};

class Engine {
 public:
  explicit Engine(const Program& program) : program_(program) {}
  virtual ~Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  const Program& program() const { return program_; }

  // Implementations call begin() first.
  virtual Status playout(Game& g, Byte* s) = 0;
  // The game with this index, of the run that has this key (ops/random.h).
  virtual Status play_game(Game& g, Byte* s, Word run, Word game_index);
  virtual Status call(Game& g, Byte* s, ir::FunctionIndex function, std::span<const Int> arguments, Int* result) = 0;

  // The host's loop over run_top(): until something is pending, the game is done, or it was trapped.
  virtual Status step(Game& g, Byte* s);
  // Needs a pending decision and Game::offers. More options than offers_capacity are counted but not written.
  virtual Status list(Game& g, Byte* s, Int what = 1);
  virtual Status play_on(Game& g, Byte* s);

  // Runs the step function of the top frame: what its `to_host` says, or trapped. Where that is `ok`, it may have gone
  // on with those that came next. On a trap the engine pushes the functions on its own stack; step() adds the frames
  // below.
  virtual Status run_top(Game& g, Byte* s) = 0;

 protected:
  // Fuel full, no trap, no choice taken over from an earlier run. Game::choice is left alone.
  void begin(Game& g, Int knowledge) const;
  // The same, with what knowledge the rules ask for; with a trace or log all of it is kept.
  void begin_playout(Game& g) const;

 private:
  Status loop(Game& g, Byte* s);
  const Program& program_;
};

// Pushes a function that a trap leaves, if it is shown and there is room: `of`, and if that was joined to another one,
// those that called it, up to `function`.
void push_levels(Game& g, const Program& program, ir::FunctionIndex function, ir::FunctionIndex of, Range where);
// The suspended frames below the top one, so that both forms tell the same rule stack.
void push_frames_below(Game& g, const Program& program, const Byte* s);

}   // namespace cardwright
