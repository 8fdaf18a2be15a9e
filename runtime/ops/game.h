// What an engine hands to every operation beside the State's bytes: limits, the trap that stopped the game, and the
// host's ears. Nothing in it is part of the game; a State can be continued with a fresh Game.
#pragma once

#include "runtime/program/layout.h"

namespace cardwright {

// Why a game was ended early. Stable numbers; texts in trap_text().
enum class Trap : std::int32_t {
  none = 0,
  overflow,   // arithmetic left the 64-bit range
  none_in_arithmetic,
  divided_by_zero,
  out_of_range,   // a value stored in a variable that can't hold it
  unset,   // a variable was read before it was set
  bad_index,   // outside a table, list, map or zone
  nobody,   // a player or card was needed and there was none
  not_exactly_one,   // `the player where …`, `only of …`
  too_deep,   // recursion
  too_long,   // fuel of one decision used up
  too_many_decisions,
  queue_full,   // too many `afterwards`
  no_zone,   // a card that lies nowhere
  empty_choice,   // the compiler's promise of at least one option was broken
  fell_through,   // a switch without its case: the compiler erred
  race_without_end,   // nothing closes a window in real time
  slot_full,   // a second card in a slot
  pool_empty,   // nothing is left in a pool, or not what was to be taken
  list_full,   // one more than a list may hold
  no_edge,   // of a cell, where two corners touch
};
// What a trap is about: what the numbers of Game::Wrong say. Told by the operation that was stopped (ops/wrong.h).
enum class About : std::int32_t {
  nothing,
  value,   // that was to be stored: variable, index, value
  variable,   // no such instance, or one that is not set: variable, index
  length,   // of a list that was to be stored: variable, which list of it, length
  element,   // of a list in the State: variable, which list of it, index
  pool,   // variable, constant (or none)
  entry,   // one of several things: which, the first there is, how many there are
  place,   // in a list in a register: index, its length
  room,   // how many a list in a register may hold
  operands,   // of arithmetic: two numbers
  range,   // of numbers: from, to
  owner,   // of a zone: its first instance, owner, copy
  instance,   // of a zone: which, how many cards it would hold
  card,
  count,   // how many there are
  depth,   // how many times a rule may be under way
  limit,   // what there may be at most
  steps,   // … before the next decision
  declared,   // a number outside a declared range: text with the message, number
  leaving,   // what would cover cells beyond the rim: variable that holds where it lies, index, cell
};
// Asked instead of a player in a live race: does time go on (0), or does player `index` - 1 act now? Not counted.
inline constexpr Int kHost = -2;

const char* trap_text(Trap trap);   // for people: "value out of range"

// What is kept of who knows what: nothing, all of it, or only which cards a player does not know (playouts whose rules
// ask).
inline constexpr Int kNoKnowledge = 0, kAllKnowledge = 1, kUnknownOnly = 2;

// Game::listing: not the options are wanted, but the texts of the question and its answers, which the log is told.
inline constexpr Int kListTexts = 2, kListNames = 3;

struct NoteBook;   // what is measured (note.h)
struct TraceSink;   // told of every decision (tests, --trace)
struct LogSink;   // told of moves, changes and decisions (play)

struct Game {
  Int fuel = 0;   // left for this decision
  Int fuel_per_decision = 10'000'000;
  Int decision_limit = 1'000'000;   // per game
  Trap trap = Trap::none;
  About about = About::nothing;   // what `wrong` says; a variable is told by its offset
  Int wrong[3] = {};
  std::int32_t trap_function = -1;   // where: function and instruction's Range, filled in by the engine
  std::uint32_t trap_source = ~0u, trap_begin = 0, trap_end = 0;

  // stepwise form
  Int knowledge_dropped = 0;   // 1: of who knows what, no more is kept than a playout keeps
  Int listing = 0;   // 1: the step function lists the options of the pending decision and returns;
      // kListTexts: tells its texts; kListNames: what the names in it are
  Int choice = -1;   // index chosen by the host, consumed by `decide`; -1: none, suspend; or kDrawIt
  Int chosen_by_host = 0;   // whether the last decision was, in stepwise form
  Int pending_player = -1;   // set by `decide` when it suspends
  Int pending_options = 0;
  Int pending_site = -1;
  Int* offers = nullptr;   // where `list` writes ids
  Int offers_capacity = 0;
  Int offers_count = 0;
  // what a function returned, until the one that waits for it goes on: never while a decision is pending
  Int result;

  NoteBook* notes = nullptr;
  TraceSink* trace = nullptr;
  LogSink* log = nullptr;
  const struct Program* program = nullptr;   // for the cold paths of sinks; ops don't need it

  // The rule stack of a trap, innermost first: function and the place in it. Filled on the way out.
  struct Level {
    std::int32_t function;
    std::uint32_t source, begin, end;
  };
  static constexpr int kStack = 32;
  Level stack[kStack];
  int stack_size = 0;

  // While something is supposed nobody hears of it, and what is known stays as it is.
  Int supposing = 0;
  Int knowledge_before = 0;
  LogSink* log_before = nullptr;

  // Set by Engine (runtime/engine.h), read by operations.
  Int knowledge = 0;   // what is kept up to date of who knows what
  Int plays_on = 0;   // 1: the stepwise form draws decisions as a playout does, and doesn't suspend

  Word result_set[kMaxWords];   // as `result`; last, as it is long
};

// Told in the order things happen. Implemented in runtime/, called out of line on cold paths.
struct TraceSink {
  virtual ~TraceSink() = default;
  // A decision was made: who, among how many, which index; `chosen` follows with the option's id.
  virtual void decided(Game&, const Byte* state, Int player, Int options, Int index) = 0;
  virtual void chosen(Game&, const Byte* state, Int id) = 0;
  // A policy has drawn another index than was told.
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
  // The values of a text, in the order of its marks; and what the last of them depends on (variable -1: for nobody).
  virtual void told(Game&, const Byte* state, Int value) = 0;
  virtual void told(Game&, const Byte* state, const Word* set) = 0;
  virtual void told_with(Game&, const Byte* state, Int variable, Int index) = 0;
  virtual void told_with(Game&, const Byte* state, const Word* cards) = 0;
  virtual void asked_in_vain(Game&, const Byte* state, Int player) = 0;
  virtual void part(Game&, const Byte* state, Int text) = 0;   // a text inside one that follows
  virtual void said(Game&, const Byte* state, Int text) = 0;
};

}   // namespace cardwright
