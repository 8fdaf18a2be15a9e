// What the handles of include/cardwright hold, and small readings of a State that several files here need.
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

// What is printed on cards, numbered in the order in which cards are shown: cards of one print can't be told apart.
struct Prints {
  std::vector<Int> of;   // by card; of what is no card, kNone
  std::vector<Int> card;   // by print: one of its cards
};

// What only whoever made a Game can tell of it.
class Origin {
 public:
  virtual ~Origin() = default;
  virtual std::string describe(const Game& game) const = 0;   // showing.hpp
  virtual std::vector<std::string> rules_in_words(const GameData& game) const = 0;
  virtual std::vector<std::string> endings_in_words(const GameData& game) const = 0;   // how the game ends, for people
  virtual std::vector<std::string> why(const StateData& state, int player, std::string_view what) const = 0;
};

struct GameData : std::enable_shared_from_this<GameData> {
  std::string name, title;
  std::vector<std::pair<std::string, std::string>> options;   // every option with its value
  Report report;   // warnings
  std::uint64_t fingerprint = 0;   // of the Program
  std::shared_ptr<const Program> its_program;
  std::unique_ptr<const Origin> origin;
  std::shared_ptr<const Compiled> compiled;   // the rules that it was made of; null if it was made of a file
  std::unique_ptr<Engine> engine;
  BackgroundEngine* background = nullptr;   // the same, if it is one
  std::unique_ptr<Resampler> resampler;
  EngineKind kind = EngineKind::interpreter;
  mutable std::once_flag explained_once;   // explain.h: made when somebody asks why
  mutable std::shared_ptr<const Explained> explained;
  mutable std::once_flag printed_once;
  mutable Prints printed;
  mutable std::once_flag described_once;
  mutable std::string described;   // showing.hpp

  const Prints& prints() const;

  const Program& program() const { return *its_program; }
};

// The bytes of a State and what the last step said about it.
struct StateData {
  std::shared_ptr<const GameData> game;
  std::unique_ptr<Byte[]> bytes;   // Layout::size, aligned for Words by new[]
  Int room = 0;   // how many there are in truth: it may have been another game's
  bool over = false;
  int actor = -1;   // kHost: a live race waits for the clock
  std::int64_t count = 0;   // options of the pending decision
  std::int64_t site = -1;
  std::optional<Failure> failure;
  std::vector<std::int64_t> offers;   // filled in by legal()
  bool listed = false;
  std::vector<std::string> words;   // of the offers, once somebody wants them
  struct PlacedAt {
    Int cell = kNone;
    std::uint32_t when = 0;   // after which placing it has been there
  };
  std::vector<PlacedAt> placed;   // by kind of pieces and piece: what is placed last is drawn on top
  std::uint32_t placings = 0;
  // else who knows what is as it was when it was dropped, or means nothing
  bool keeps_knowledge = true;
  NoteBook* notes = nullptr;   // where what is measured is noted; of copies nowhere

  explicit StateData(std::shared_ptr<const GameData> of);
  StateData(const StateData& other);
  StateData& operator=(const StateData& other);
  const Program& program() const { return game->program(); }
};

// ---- running (running.cpp)

// A runtime context without ears, ready for this game.
cardwright::Game fresh_context(const GameData& game);
// Throws Error(caller) if it was dropped: "…, so nobody can save it".
void need_knowledge(const StateData& state, std::string_view what);
// Throws Error(caller) if there is no such seat. `or_all`: -1, who sees everything, will do.
void need_player(const Program& program, int player, bool or_all = false);
// Throws Error(caller) if the Log is of another game than the State.
void need_log_of(const StateData& state, const Log& log);
// Throws Error(caller) unless somebody is asked.
void need_question(const StateData& state);
// Lets the engine run on to the next decision, the end or a failure. choice -1: only look what is pending.
void advance(StateData& state, Int choice, Log* log);
// Lists the options of the pending decision.
void list_options(StateData& state);
// Is the pending question one of the flow's own: of a phase, or in a window that the flow opened?
bool nothing_under_way(const StateData& state);
// All of a State before setup, with the main function's frame pushed; nothing has run yet.
std::unique_ptr<StateData> state_before_setup(std::shared_ptr<const GameData> game, std::uint64_t seed,
                                              std::uint64_t index);
// "event lose"; empty for none.
std::string function_name(const Program& program, std::int32_t function);
Failure failure_of(const Program& program, const cardwright::Game& context);
// A function without suspension, on a copy of the state: claims, payoff, why. Nothing if it traps.
std::optional<Int> call(const StateData& state, Int function, const std::vector<Int>& arguments,
                        Failure* failure = nullptr, LogSink* log = nullptr);
// … for each of these arguments, on one copy of the State; `failure` is the first, if there is one.
std::vector<std::optional<Int>> call_each(const StateData& state, Int function,
                                          const std::vector<std::vector<Int>>& arguments,
                                          std::optional<Failure>& failure);
// What an option says to the one who is asked.
std::string words_of_option(const StateData& state, Int id);
// What the one who is asked is asked, as `observer` may read it; -1 reads everything.
std::string prompt_in_words(const StateData& state, int observer);
// Of the options that are listed; those that would read alike are told apart.
const std::vector<std::string>& words_of_options(StateData& state);
// The label of an option, as each seat may read it, then as all may; empty where it has none.
std::vector<std::string> label_for_each(const StateData& state, Int id);
// Of a set that is picked one by one: how many are picked, which, and how many are wanted; -1: any number.
struct Picked {
  std::int64_t count = 0, wanted = -1;
  std::string words;
};
Picked picked_so_far(const StateData& state);

// A line about a card or character: its name, what is printed on it, its text.
std::string printed_line(const std::string& name, const std::string& attributes, const std::string& text);

// ---- reading (reading.cpp)

std::uint64_t winners_of(const Program& program, const Byte* state);
// What ended the game; null if it isn't over, or a rule went wrong.
const EndingInfo* ending_of(const Program& program, const Byte* state);
std::uint64_t players_in(const Program& program, const Byte* state);
Int zone_instance(const Program& program, Int zone, Int owner, Int copy = 0);
// Cards in the fixed top part of a pile, topmost first, then the rest of the pile in no order.
std::vector<Int> fixed_top(const Program& program, const Byte* state, Int instance);
std::string constant_label(const Program& program, Int enumeration, Int value);

}   // namespace cardwright::api::detail

namespace cardwright::api {
using detail::GameData;
using detail::StateData;
}   // namespace cardwright::api
