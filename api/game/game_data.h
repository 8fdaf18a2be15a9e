// Data behind the handles of include/cardwright, and small queries on a State that several files need.
#pragma once

#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "cardwright/cardwright.hpp"
#include "api/game/noting.h"
#include "runtime/program/program.h"
#include "runtime/engine.h"
#include "runtime/knowledge.h"
#include "runtime/ops/game.h"
#include "runtime/ops/memory.h"
#include "runtime/resample.h"
#include "runtime/state.h"

namespace cardwright::api {
class BackgroundEngine;
}

namespace cardwright::api::detail {

struct Compiled;
struct Explained;
struct StateData;

// Groups of cards with equal printed values, numbered in the order in which cards are shown. Cards of one print are
// indistinguishable.
struct Prints {
  std::vector<Int> of;   // by card; kNone if it is not a card
  std::vector<Int> card;   // by print: one of its cards
};

// Information that only the creator of a Game has.
class Origin {
 public:
  virtual ~Origin() = default;
  virtual std::string describe(const Game& game) const = 0;   // see showing.hpp
  virtual std::vector<std::string> rules_in_words(const GameData& game) const = 0;
  // user-visible texts of the endings
  virtual std::vector<std::string> endings_in_words(const GameData& game) const = 0;
  virtual std::vector<std::string> why(const StateData& state, int player, std::string_view what) const = 0;
};

struct GameData : std::enable_shared_from_this<GameData> {
  std::string name, title;
  std::vector<std::pair<std::string, std::string>> options;   // all options and their values
  Report report;   // warnings
  std::uint64_t fingerprint = 0;   // of the Program
  std::shared_ptr<const Program> its_program;
  std::unique_ptr<const Origin> origin;
  std::shared_ptr<const Compiled> compiled;   // the rules that it was compiled from; null if it was read from a file
  std::unique_ptr<Engine> engine;
  BackgroundEngine* background = nullptr;   // the same engine, if it is a BackgroundEngine
  std::unique_ptr<Resampler> resampler;
  EngineKind kind = EngineKind::interpreter;
  mutable std::once_flag explained_once;   // created at the first call of `why`; see explain.h
  mutable std::shared_ptr<const Explained> explained;
  mutable std::once_flag printed_once;
  mutable Prints printed;
  mutable std::once_flag described_once;
  mutable std::string described;   // see showing.hpp

  const Prints& prints() const;

  const Program& program() const { return *its_program; }
};

// The bytes of a State and the results of the last step.
struct StateData {
  std::shared_ptr<const GameData> game;
  std::unique_ptr<Byte[]> bytes;   // Layout::size bytes, aligned for Words by new[]
  Int room = 0;   // bytes allocated; can differ after a State of another game was assigned
  bool over = false;
  int actor = -1;   // kHost: a live race waits for the clock
  std::int64_t count = 0;   // options of the pending decision
  std::int64_t site = -1;
  std::optional<Failure> failure;
  std::vector<std::int64_t> offers;   // filled in by legal()
  bool listed = false;
  std::vector<std::string> words;   // of the offers; filled in on request
  struct PlacedAt {
    Int cell = kNone;
    std::uint32_t when = 0;   // number of the placing that put it there
  };
  std::vector<PlacedAt> placed;   // by piece kind and piece: the piece placed last is drawn on top
  std::uint32_t placings = 0;
  // If false, the knowledge part is outdated or meaningless.
  bool keeps_knowledge = true;
  NoteBook* notes = nullptr;   // receives notes for measures; null in copies

  explicit StateData(std::shared_ptr<const GameData> of);
  StateData(const StateData& other);
  StateData& operator=(const StateData& other);
  const Program& program() const { return game->program(); }
};

// ---- running (running.cpp)

// A runtime context for this game without observers.
cardwright::Game fresh_context(const GameData& game);
// Throws Error(caller) if knowledge was dropped; `what` completes the message: "cannot save it: …".
void need_knowledge(const StateData& state, std::string_view what);
// Throws Error(caller) if there is no such seat. With `or_all`, -1 (sees everything) is also valid.
void need_player(const Program& program, int player, bool or_all = false);
// Throws Error(caller) if the log belongs to another game than the state.
void need_log_of(const StateData& state, const Log& log);
// Throws Error(caller) if no decision is pending.
void need_question(const StateData& state);
// Runs the engine to the next decision, the end or a failure. choice -1 only determines the pending decision.
void advance(StateData& state, Int choice, Log* log);
// Lists the options of the pending decision.
void list_options(StateData& state);
// Returns whether the pending question comes from the turn structure itself: from a phase, or from a window that it
// opened.
bool nothing_under_way(const StateData& state);
// A complete State before setup, with the frame of the main function pushed; nothing has run yet.
std::unique_ptr<StateData> state_before_setup(std::shared_ptr<const GameData> game, std::uint64_t seed,
                                              std::uint64_t index);
// "event lose"; empty for none.
std::string function_name(const Program& program, std::int32_t function);
Failure failure_of(const Program& program, const cardwright::Game& context);
// Calls a function without suspension on a copy of the state: conditions, payoff, why. Returns nothing if it traps.
std::optional<Int> call(const StateData& state, Int function, const std::vector<Int>& arguments,
                        Failure* failure = nullptr, LogSink* log = nullptr);
// The same for each of these arguments, on one copy of the State; `failure` gets the first failure, if any.
std::vector<std::optional<Int>> call_each(const StateData& state, Int function,
                                          const std::vector<std::vector<Int>>& arguments,
                                          std::optional<Failure>& failure);
// An option's text for the deciding player.
std::string words_of_option(const StateData& state, Int id);
// The prompt of the pending decision as `observer` may read it; -1 reads everything.
std::string prompt_in_words(const StateData& state, int observer);
// Texts of the listed options; equal texts are extended until they differ.
const std::vector<std::string>& words_of_options(StateData& state);
// The label of an option as each seat may read it, and last as all may read it; empty if it has none.
std::vector<std::string> label_for_each(const StateData& state, Int id);
// For a set that is picked one by one: the picked elements, their number, and the number wanted (-1: any).
struct Picked {
  std::int64_t count = 0, wanted = -1;
  std::string words;
};
Picked picked_so_far(const StateData& state);

// A line about a card or character: its name, its printed values, its text.
std::string printed_line(const std::string& name, const std::string& attributes, const std::string& text);

// ---- reading (reading.cpp)

std::uint64_t winners_of(const Program& program, const Byte* state);
// The ending that applies; null if the game is not over, or a runtime error ended it.
const EndingInfo* ending_of(const Program& program, const Byte* state);
std::uint64_t players_in(const Program& program, const Byte* state);
Int zone_instance(const Program& program, Int zone, Int owner, Int copy = 0);
// Cards in the known top part of a pile, topmost first, then the rest of the pile in unspecified order.
std::vector<Int> fixed_top(const Program& program, const Byte* state, Int instance);
std::string constant_label(const Program& program, Int enumeration, Int value);

}   // namespace cardwright::api::detail

namespace cardwright::api {
using detail::GameData;
using detail::StateData;
}   // namespace cardwright::api
