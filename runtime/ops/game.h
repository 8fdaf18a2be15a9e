// The context that an engine passes to every operation besides the State's bytes: limits, the trap that stopped the
// game, and the host's sinks. It is not part of the game; a State can be continued with a new Game.
#pragma once

#include "runtime/program/layout.h"

namespace cardwright {

// Why a game was ended early. The numbers are stable; trap_text() has the texts.
enum class Trap : std::int32_t {
  none = 0,
  overflow,   // arithmetic overflow beyond 64 bits
  none_in_arithmetic,
  divided_by_zero,
  out_of_range,   // a stored value is outside the variable's range
  unset,   // an unset variable was read
  bad_index,   // index outside a table, list, map or zone
  nobody,   // expected a player or card, found none
  not_exactly_one,   // `the player where …`, `only of …`
  too_deep,   // recursion depth exceeded
  too_long,   // fuel of one decision exhausted
  too_many_decisions,
  queue_full,   // too many `afterwards`
  no_zone,   // a card is in no zone
  empty_choice,   // a choice without options, although the compiler guaranteed at least one
  fell_through,   // a switch without a matching case: compiler bug
  race_without_end,   // no event can close a window in real time
  slot_full,   // a second card in a slot
  pool_empty,   // a pool is empty, or lacks the value to be taken
  list_full,   // too many elements for a list
  no_edge,   // edge between two cells that touch only at a corner
};
// The subject of a trap, which defines the meaning of the numbers in Game::wrong. Set by the operation that trapped
// (ops/wrong.h).
enum class About : std::int32_t {
  nothing,
  value,   // value to be stored: variable, index, value
  variable,   // invalid or unset instance: variable, index
  length,   // length of a list to be stored: variable, list index, length
  element,   // element of a list in the State: variable, list index, element index
  pool,   // variable, constant (or none)
  entry,   // a value outside a table's keys: value, first key, number of keys
  place,   // index in a list in a register: index, length
  room,   // capacity of a list in a register
  operands,   // the two operands of arithmetic
  range,   // range of numbers: from, to
  owner,   // owner of a zone: first instance, owner, copy
  instance,   // zone instance: instance, number of cards it would hold
  card,
  count,   // number available
  depth,   // maximum recursion depth
  limit,   // a maximum
  steps,   // steps before the next decision
  declared,   // a number outside a declared range: text of the message, number
  leaving,   // a piece that would extend beyond the board: variable with its position, index, cell
};
// Player number for decisions of the host in a live race: does time advance (0), or does player `index` - 1 act now?
// Not counted as decisions.
inline constexpr Int kHost = -2;

const char* trap_text(Trap trap);   // readable text: "value out of range"

// Kinds of tracked knowledge: none, all of it, or only which cards each player does not know (for playouts of rules
// that query knowledge).
inline constexpr Int kNoKnowledge = 0, kAllKnowledge = 1, kUnknownOnly = 2;

// Values of Game::listing that produce the texts for the log, of the question and its answers, instead of the options.
inline constexpr Int kListTexts = 2, kListNames = 3;

struct NoteBook;   // records measures (note.h)
struct TraceSink;   // receives every decision (tests, --trace)
struct LogSink;   // receives moves, changes and decisions (play)

struct Game {
  Int fuel = 0;   // remaining for this decision
  Int fuel_per_decision = 10'000'000;
  Int decision_limit = 1'000'000;   // per game
  Trap trap = Trap::none;
  About about = About::nothing;   // subject of `wrong`; a variable is given by its offset
  Int wrong[3] = {};
  std::int32_t trap_function = -1;   // location: function and source Range of the instruction, set by the engine
  std::uint32_t trap_source = ~0u, trap_begin = 0, trap_end = 0;

  // stepwise form
  Int knowledge_dropped = 0;   // 1: keep only as much knowledge as a playout
  Int listing = 0;   // 1: the step function lists the options of the pending decision and returns;
      // kListTexts: logs its texts; kListNames: the names in the texts
  Int choice = -1;   // index chosen by the host, consumed by `decide`; -1: none, suspend; or kDrawIt
  Int chosen_by_host = 0;   // true if the host chose the last decision, in stepwise form
  Int pending_player = -1;   // set by `decide` when it suspends
  Int pending_options = 0;
  Int pending_site = -1;
  Int* offers = nullptr;   // buffer for the ids written by `list`
  Int offers_capacity = 0;
  Int offers_count = 0;
  // result of a function until its caller continues; never used across a pending decision
  Int result;

  NoteBook* notes = nullptr;
  TraceSink* trace = nullptr;
  LogSink* log = nullptr;
  const struct Program* program = nullptr;   // for the cold paths of sinks; operations do not need it

  // The rule stack of a trap, innermost first: function and position. Filled while the trap propagates.
  struct Level {
    std::int32_t function;
    std::uint32_t source, begin, end;
  };
  static constexpr int kStack = 32;
  Level stack[kStack];
  int stack_size = 0;

  // Inside `suppose` nothing is logged, and knowledge does not change.
  Int supposing = 0;
  Int knowledge_before = 0;
  LogSink* log_before = nullptr;

  // Set by Engine (runtime/engine.h), read by operations.
  Int knowledge = 0;   // the kind of knowledge that is kept up to date
  Int plays_on = 0;   // 1: the stepwise form draws decisions as a playout does, and does not suspend

  Word result_set[kMaxWords];   // like `result`; last because it is large
};

// Receives events in the order in which they happen. Implemented in runtime/, called out of line on cold paths.
struct TraceSink {
  virtual ~TraceSink() = default;
  // A decision was made: the player, the number of options and the chosen index; `chosen` follows with the option's id.
  virtual void decided(Game&, const Byte* state, Int player, Int options, Int index) = 0;
  virtual void chosen(Game&, const Byte* state, Int id) = 0;
  // A policy drew an index that replaces the one reported before.
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
  // The values of a text in the order of its marks, and what the last value depends on (variable -1: visible to no
  // player).
  virtual void told(Game&, const Byte* state, Int value) = 0;
  virtual void told(Game&, const Byte* state, const Word* set) = 0;
  virtual void told_with(Game&, const Byte* state, Int variable, Int index) = 0;
  virtual void told_with(Game&, const Byte* state, const Word* cards) = 0;
  virtual void asked_in_vain(Game&, const Byte* state, Int player) = 0;
  virtual void part(Game&, const Byte* state, Int text) = 0;   // a text nested in the next one
  virtual void said(Game&, const Byte* state, Int text) = 0;
};

}   // namespace cardwright
