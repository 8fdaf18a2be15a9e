// Defines Game, the context that an engine passes to every operation in addition to the State's bytes: limits, the trap
// that stopped the game, and the host's sinks. It is not part of the State; a State can be continued with a new Game.
#pragma once

#include "runtime/program/layout.h"

namespace cardwright {

// The reason why a game ended early. The numbers are stable. trap_text() returns a text for each of them.
enum class Trap : std::int32_t {
  none = 0,
  overflow,   // arithmetic overflow beyond 64 bits
  none_in_arithmetic,
  divided_by_zero,
  out_of_range,   // a stored value is outside the variable's range
  unset,   // read of an unset variable
  bad_index,   // index outside a table, list, map or zone
  unexpected_none,   // `none` where a player or a card is required
  not_exactly_one,   // `the player where …` or `only of …` matched zero or several elements
  too_deep,   // recursion depth exceeded
  too_long,   // fuel of one decision exhausted
  too_many_decisions,
  queue_full,   // too many `afterwards`
  no_zone,   // a card that is in no zone
  empty_choice,   // a choice without options, although the compiler guaranteed at least one
  fell_through,   // a switch without a matching case: compiler bug
  race_without_end,   // a window in real time that no event can close
  slot_full,   // a second card moved to a slot
  pool_empty,   // an empty pool, or a pool without the value to take
  list_full,   // too many elements for a list
  no_edge,   // no edge between two cells that touch only at a corner
};
// The subject of a trap. It defines the meaning of the numbers in Game::wrong; the operation that trapped sets both
// (ops/wrong.h). Each comment describes the subject and, after the colon, the numbers.
enum class About : std::int32_t {
  nothing,
  value,   // a value that a variable cannot store: variable, index, value
  variable,   // an invalid or unset instance of a variable: variable, index
  length,   // a list that is too long to store: variable, list index, length
  element,   // a missing element of a list in the State: variable, list index, element index
  pool,   // a pool that is empty or lacks a constant: variable, constant or none
  entry,   // a value outside a table's keys: value, first key, number of keys
  place,   // an invalid index of a list in a register: index, length
  room,   // a full list in a register: capacity
  operands,   // invalid operands of arithmetic: both operands
  range,   // an invalid range of numbers: from, to
  owner,   // an invalid owner or copy of a zone: first instance, owner, copy
  instance,   // a zone instance that would be too full: instance, number of cards
  card,
  count,   // a selection that requires exactly one element: number of matching elements
  depth,   // exceeded recursion depth: its maximum
  limit,   // an exceeded limit: its maximum
  steps,   // too many steps before the next decision: their maximum
  declared,   // a number outside a declared range: index of the message text, number
  leaving,   // a piece that would extend beyond the board: variable with its position, index, cell
};
// Player number for decisions of the host in a live race. The host decides whether time advances (index 0) or player
// `index` - 1 acts now. These do not count as decisions of the game.
inline constexpr Int kHost = -2;

const char* trap_text(Trap trap);   // returns a readable text, such as "value out of range"

// Kinds of tracked knowledge: none; all; or only the set of cards that each player does not know, for playouts of rules
// that query knowledge.
inline constexpr Int kNoKnowledge = 0, kAllKnowledge = 1, kUnknownOnly = 2;

// With these values of Game::listing, the step function does not list options. It logs the computed texts of the
// question, or the values of the names that the choice reads.
inline constexpr Int kListTexts = 2, kListNames = 3;

struct NoteBook;   // records measures (note.h)
struct TraceSink;   // receives every decision (tests, --trace)
struct LogSink;   // receives moves, changes and decisions (play)

struct Game {
  Int fuel = 0;   // remaining steps before the next decision
  Int fuel_per_decision = 10'000'000;
  Int decision_limit = 1'000'000;   // per game
  Trap trap = Trap::none;
  About about = About::nothing;   // the subject of `wrong`, in which a variable is given by its offset
  Int wrong[3] = {};
  // Location of the trap: function and source range of the instruction. Set by the engine.
  std::int32_t trap_function = -1;
  std::uint32_t trap_source = ~0u, trap_begin = 0, trap_end = 0;

  // Members that only the stepwise form uses.
  Int knowledge_dropped = 0;   // 1: track only as much knowledge as a playout does
  // 1: the step function lists the options of the pending decision and returns. kListTexts and kListNames: see above.
  Int listing = 0;
  Int choice = -1;   // index chosen by the host, consumed by `decide`; -1: no choice yet, so suspend; or kDrawRandomly
  Int chosen_by_host = 0;   // true if the host chose the last decision, in stepwise form
  Int pending_player = -1;   // set by `decide` when it suspends
  Int pending_options = 0;
  Int pending_site = -1;
  Int* offers = nullptr;   // buffer to which `list` writes the option ids
  Int offers_capacity = 0;
  Int offers_count = 0;
  // The result of a function until its caller resumes. No decision can be pending in between.
  Int result;

  NoteBook* notes = nullptr;
  TraceSink* trace = nullptr;
  LogSink* log = nullptr;
  const struct Program* program = nullptr;   // used only on the cold paths of sinks, not by operations

  // The rule stack of a trap: function and source range of each level, innermost first. Filled while the trap
  // propagates.
  struct Level {
    std::int32_t function;
    std::uint32_t source, begin, end;
  };
  static constexpr int kStack = 32;
  Level stack[kStack];
  int stack_size = 0;

  // 1 inside a `suppose`, which logs nothing and leaves knowledge unchanged.
  Int supposing = 0;
  Int knowledge_before = 0;
  LogSink* log_before = nullptr;

  // Set by Engine (runtime/engine.h), read by operations.
  Int knowledge = 0;   // the kind of knowledge that operations keep up to date
  Int draws_decisions = 0;   // 1: the stepwise form draws decisions as a playout does, and does not suspend

  Word result_set[kMaxWords];   // like `result`, for a set; the last member because it is large
};

// Receives events in the order in which they happen. Implemented in runtime/, called out of line on cold paths.
struct TraceSink {
  virtual ~TraceSink() = default;
  // Reports a decision: the player, the number of options and the chosen index. A call of `chosen` with the option's id
  // follows.
  virtual void decided(Game&, const Byte* state, Int player, Int options, Int index) = 0;
  virtual void chosen(Game&, const Byte* state, Int id) = 0;
  // Reports the index that a policy drew, which replaces the index reported before.
  virtual void leaned(Game&, const Byte* state, Int index) = 0;
};
struct LogSink {
  virtual ~LogSink() = default;
  virtual void moved(Game&, const Byte* state, const Word* cards, Int from, Int to, Int how) = 0;
  virtual void revealed(Game&, const Byte* state, const Word* cards) = 0;
  virtual void peeked(Game&, const Byte* state, Int player, const Word* cards) = 0;
  virtual void faces(Game&, const Byte* state, Int variable, Int dice, bool turned) = 0;
  virtual void arranged(Game&, const Byte* state, Int player, Int pile, const Word* cards) = 0;
  virtual void variable(Game&, const Byte* state, Int variable, Int index, bool to_all) = 0;
  virtual void shown(Game&, const Byte* state, Int player, Int variable, Int index) = 0;
  virtual void changed(Game&, const Byte* state, Int variable, Int index, Int old_value, Int new_value) = 0;
  // log_value() reports the values of the next text in the order of its placeholders. readers() restricts the
  // last value to a mask of players.
  virtual void log_value(Game&, const Byte* state, Int value) = 0;
  virtual void log_value(Game&, const Byte* state, const Word* set) = 0;
  virtual void readers(Game&, const Byte* state, Word players) = 0;
  virtual void without_options(Game&, const Byte* state, Int player) = 0;
  virtual void part(Game&, const Byte* state, Int text) = 0;   // reports a text nested in the next one
  virtual void log_text(Game&, const Byte* state, Int text) = 0;
  // Reports a step of an explanation: a node of Program::explanations, and the values before it. Only a Program with
  // explanations reports any.
  virtual void explain(Game&, const Byte*, Int) {}
};

}   // namespace cardwright
