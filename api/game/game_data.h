// Defines the data behind the handles of include/cardwright, and declares small queries on a State that several files
// need.
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
#include "runtime/knowledge/knowledge.h"
#include "runtime/ops/game.h"
#include "runtime/ops/memory.h"
#include "runtime/knowledge/resample.h"
#include "runtime/state/state.h"

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
  std::vector<Int> of;   // print by card id; kNone for ids that are not cards
  std::vector<Int> card;   // one card of each print
};

// Queries whose answers need data that only the creator of a Game has, such as the Model or a game file.
class Origin {
 public:
  virtual ~Origin() = default;
  virtual std::string describe(const Game& game) const = 0;   // the result of api::describe
  virtual std::vector<std::string> rules_in_words(const GameData& game) const = 0;
  // Returns the user-visible texts of the endings.
  virtual std::vector<std::string> endings_in_words(const GameData& game) const = 0;
  virtual std::vector<std::string> why(const StateData& state, int player, std::string_view what) const = 0;
};

struct GameData : std::enable_shared_from_this<GameData> {
  std::string name, title;
  std::vector<std::pair<std::string, std::string>> options;   // all options and their values
  Report report;   // warnings
  std::uint64_t fingerprint = 0;   // fingerprint of the Program
  std::shared_ptr<const Program> its_program;
  std::unique_ptr<const Origin> origin;
  std::shared_ptr<const Compiled> compiled;   // the compiled rules; null if the game was restored from bytes
  std::unique_ptr<Engine> engine;
  BackgroundEngine* background = nullptr;   // points to `engine` if it is a BackgroundEngine
  std::unique_ptr<Resampler> resampler;
  EngineKind kind = EngineKind::interpreter;
  mutable std::once_flag explained_once;   // `explained` is created at the first call of `why`
  mutable std::shared_ptr<const Explained> explained;
  mutable std::once_flag printed_once;
  mutable Prints printed;
  mutable std::once_flag described_once;
  mutable std::string described;   // the result of api::describe

  const Prints& prints() const;

  const Program& program() const { return *its_program; }
};

// The bytes of a State and the results of the last step.
struct StateData {
  std::shared_ptr<const GameData> game;
  std::unique_ptr<Byte[]> bytes;   // Layout::size bytes, aligned for Words by new[]
  Int room = 0;   // number of allocated bytes; can exceed Layout::size if a State of another game was assigned
  bool over = false;
  int actor = -1;   // the deciding player; kHost: a live race waits for the clock
  std::int64_t count = 0;   // number of options of the pending decision
  std::int64_t site = -1;
  std::optional<Failure> failure;
  std::vector<std::int64_t> offers;   // filled in by legal()
  bool listed = false;
  std::vector<std::string> words;   // texts of the offers; filled in on request
  struct PlacedAt {
    Int cell = kNone;
    std::uint32_t when = 0;   // value of `placings` when the piece was placed
  };
  std::vector<PlacedAt> placed;   // by piece kind and piece; on a shared cell, the piece placed last is drawn on top
  std::uint32_t placings = 0;
  // If false, the bytes that store the players' knowledge are outdated or meaningless.
  bool keeps_knowledge = true;
  NoteBook* notes = nullptr;   // receives notes for measures; null in copies

  explicit StateData(std::shared_ptr<const GameData> of);
  StateData(const StateData& other);
  StateData& operator=(const StateData& other);
  const Program& program() const { return game->program(); }
};

// ---- running (running.cpp)

// Returns a runtime context for this game, without observers.
cardwright::Game fresh_context(const GameData& game);
// Throws Error(caller) if the State does not track knowledge. `what` completes the message: "cannot save it: …".
void need_knowledge(const StateData& state, std::string_view what);
// Throws Error(caller) if the seat does not exist. With `or_all`, the observer -1, who sees everything, is also valid.
void need_player(const Program& program, int player, bool or_all = false);
// Throws Error(caller) if the log belongs to a different game than the state.
void need_log_of(const StateData& state, const Log& log);
// Throws Error(caller) if no decision is pending.
void need_question(const StateData& state);
// Takes the option `choice` and runs the engine to the next decision, the end or a failure. With `choice` -1, it takes
// no option and only determines the pending decision.
void advance(StateData& state, Int choice, Log* log);
// Lists the options of the pending decision.
void list_options(StateData& state);
// Returns true if the pending question comes from the turn structure itself: from a phase, or from a window that a
// phase opened.
bool is_idle(const StateData& state);
// Returns a complete State before setup. The frame of the main function has been pushed, but the function has not run.
std::unique_ptr<StateData> state_before_setup(std::shared_ptr<const GameData> game, std::uint64_t seed,
                                              std::uint64_t index);
// Returns the user-visible name of a function: "event lose"; empty if `function` is negative.
std::string function_name(const Program& program, std::int32_t function);
Failure failure_of(const Program& program, const cardwright::Game& context);
// Calls a function that cannot suspend, such as a condition or `payoff`, on a copy of the state. Returns nullopt if the
// function traps.
std::optional<Int> call(const StateData& state, Int function, const std::vector<Int>& arguments,
                        Failure* failure = nullptr, LogSink* log = nullptr);
// Calls the function once for each element of `arguments`, on one copy of the State. Stores the first failure, if any,
// in `failure`.
std::vector<std::optional<Int>> call_each(const StateData& state, Int function,
                                          const std::vector<std::vector<Int>>& arguments,
                                          std::optional<Failure>& failure);
// Returns an option's text for the deciding player.
std::string words_of_option(const StateData& state, Int id);
// Returns the prompt of the pending decision as `observer` may read it; -1 reads everything.
std::string prompt_in_words(const StateData& state, int observer);
// Returns the texts of all listed options. Equal texts are extended until they differ.
const std::vector<std::string>& words_of_options(StateData& state);
// Returns the label of an option as each seat may read it, followed by the text that all seats may read; empty if the
// option has no label.
std::vector<std::string> label_for_each(const StateData& state, Int id);
// Progress of picking a set element by element: the picked elements as text, their number, and the required number (-1:
// the player decides).
struct Picked {
  std::int64_t count = 0, wanted = -1;
  std::string words;
};
Picked picked_so_far(const StateData& state);

// Returns a line with the name, printed values and text of a card or character.
std::string printed_line(const std::string& name, const std::string& attributes, const std::string& text);

// ---- reading (reading.cpp)

std::uint64_t winners_of(const Program& program, const Byte* state);
// Returns the rule that ended the game; null if the game is not over, or if a runtime error ended it.
const EndingInfo* ending_of(const Program& program, const Byte* state);
std::uint64_t players_in(const Program& program, const Byte* state);
Int zone_instance(const Program& program, Int zone, Int owner, Int copy = 0);
// Returns the cards of a pile: first the cards at the top whose order is decided, topmost first, then the others in
// unspecified order.
std::vector<Int> fixed_top(const Program& program, const Byte* state, Int instance);
std::string constant_label(const Program& program, Int enumeration, Int value);

}   // namespace cardwright::api::detail

namespace cardwright::api {
using detail::GameData;
using detail::StateData;
}   // namespace cardwright::api
