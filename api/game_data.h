// What the handles of include/cardwright hold, and small readings of a State that several files here need.
#pragma once

#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "api/background.h"
#include "api/compile.h"
#include "api/noting.h"
#include "cardwright/cardwright.hpp"
#include "program/program.h"
#include "runtime/engine.h"
#include "runtime/knowledge.h"
#include "runtime/ops/game.h"
#include "runtime/ops/memory.h"
#include "runtime/resample.h"
#include "runtime/state.h"

namespace cardwright::api::detail {

struct Explained;

// What is printed on cards, numbered in the order in which cards are shown: cards of one print can't be told apart.
struct Prints {
  std::vector<Int> of;               // by card; of what is no card, kNone
  std::vector<Int> card;             // by print: one of its cards
};

struct GameData : std::enable_shared_from_this<GameData> {
  std::shared_ptr<const Compiled> compiled;          // Program, Model and their sources
  std::unique_ptr<Engine> engine;
  BackgroundEngine* background = nullptr;            // the same, if it is one
  std::unique_ptr<Resampler> resampler;
  EngineKind kind = EngineKind::interpreter;
  mutable std::once_flag explained_once;             // explain.h: made when somebody asks why
  mutable std::shared_ptr<const Explained> explained;
  mutable std::once_flag printed_once;
  mutable Prints printed;
  mutable std::once_flag described_once;
  mutable std::string described;                     // showing.hpp

  const Prints& prints() const;

  const Program& program() const { return *compiled->program; }
};

// The bytes of a State and what the last step said about it.
struct StateData {
  std::shared_ptr<const GameData> game;
  std::unique_ptr<Byte[]> bytes;                     // Layout::size, aligned for Words by new[]
  Int room = 0;                                      // how many there are in truth: it may have been another game's
  bool over = false;
  int actor = -1;                                    // kHost: a live race waits for the clock
  std::int64_t count = 0;                            // options of the pending decision
  std::int64_t site = -1;
  std::optional<Failure> failure;
  std::vector<std::int64_t> offers;                  // filled in by legal()
  bool listed = false;
  std::vector<std::string> words;                    // of the offers, once somebody wants them
  struct PlacedAt {
    Int cell = kNone;
    std::uint32_t when = 0;                          // after which placing it has been there
  };
  std::vector<PlacedAt> placed;                      // by kind of pieces and piece: what is placed last is drawn on top
  std::uint32_t placings = 0;
  // else who knows what is as it was when it was dropped, or means nothing
  bool keeps_knowledge = true;
  NoteBook* notes = nullptr;                         // where what is measured is noted; of copies nowhere

  explicit StateData(std::shared_ptr<const GameData> of);
  StateData(const StateData& other);
  StateData& operator=(const StateData& other);
  const Program& program() const { return game->program(); }
};

std::shared_ptr<const GameData> make_game(std::shared_ptr<const Compiled> compiled, EngineKind engine);

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
class SeatedPlay;

// Plays whole games, one after another, as the policies say: in the playout form where all play uniformly or all
// sensibly, else decision by decision (seats.h). For one thread. There is room for several States, so that a game's end
// can be read when others have been played: who reads it at once, by other pieces than it was written in, waits.
class Playouts {
 public:
  static constexpr std::size_t kMostPlaces = 16;
  Playouts(const GameData& game, const SimulateSettings& settings);
  ~Playouts();
  void play(std::uint64_t index, std::size_t place = 0);
  std::size_t places() const { return places_; }
  std::size_t distance() const { return size_; }   // in bytes, from one place to the next
  // Of the last game played there.
  const Byte* state(std::size_t place = 0) const { return states_.get() + place * size_; }
  std::int64_t decisions(std::size_t place = 0) const {
    return read<std::uint32_t>(state(place) + game_.program().layout.decisions);
  }
  const Failure* failure(std::size_t place = 0) const { return failures_[place].get(); }
  bool any_failure() const { return failed_ != 0; }    // at some place
  // Does the Program note anything? Then what the last game played there came to; of one that failed nothing.
  bool measures() const { return notes_ != nullptr; }
  const MeasuredGame& measured(std::size_t place = 0) const { return measured_[place]; }
  void tell_figures(FigureNotes& to) { notes_->figures = &to; }

 private:
  static constexpr std::size_t kMostBytes = 16 << 10;
  enum class Way : std::uint8_t { uniform, paced, seated };
  static Way way_of(const GameData& game, const SimulateSettings& settings);
  Status run_paced(std::uint64_t index, Byte* state);
  void play_seated(std::uint64_t index, std::size_t place);

  const GameData& game_;
  const SimulateSettings& settings_;
  const Way way_;
  const Word run_;                   // run_key() of the seed
  const std::size_t size_, places_;
  const std::unique_ptr<Byte[]> states_;
  std::vector<std::unique_ptr<Failure>> failures_;   // seldom any
  std::size_t failed_ = 0;                           // places where there is one
  std::unique_ptr<Notes> notes_;
  std::vector<MeasuredGame> measured_;               // by place
  cardwright::Game context_;
  std::unique_ptr<SeatedPlay> seated_;               // where they are played so
};
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

// ---- reading (reading.cpp)

std::uint64_t winners_of(const Program& program, const Byte* state);
// What ended the game; null if it isn't over, or a rule went wrong.
const EndingInfo* ending_of(const Program& program, const Byte* state);
std::uint64_t players_in(const Program& program, const Byte* state);
Int zone_instance(const Program& program, Int zone, Int owner, Int copy = 0);
// Cards in the fixed top part of a pile, topmost first, then the rest of the pile in no order.
std::vector<Int> fixed_top(const Program& program, const Byte* state, Int instance);
std::string constant_label(const Program& program, Int enumeration, Int value);

}  // namespace cardwright::api::detail

namespace cardwright::api {
using detail::GameData;
using detail::StateData;
}  // namespace cardwright::api
