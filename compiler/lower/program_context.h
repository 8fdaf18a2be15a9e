// The context of the whole Program while its functions are emitted: facts about the Model, and the index of every Model
// element in the Program. Functions that emit no code need only this context; the others take a FunctionContext.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "compiler/lower/env.h"
#include "compiler/lower/lower.h"
#include "compiler/plan/facts.h"
#include "compiler/model/visit.h"
#include "runtime/program/program.h"
#include "runtime/ops/game.h"

namespace cardwright::lower {

// `ending`: the scopes that an `end X` still has to leave; 0 = none
inline constexpr Int kEndGame = 1, kEndPlay = 2, kEndPhase = 3, kEndFirst = 4;
inline constexpr Int kNotLanded = -1;
inline constexpr Int kSayer = 1 << 14;   // ending = target + kSayer * said_by

// Bits of `dirty` (watch.cpp): `whenever` rules from 0, changes of characters, endings from kFirstEnding, the queue.
// All `whenever` rules and endings beyond the last bit share it.
inline constexpr Int kQueueBit = Int{1} << 61;
inline constexpr Int kLastWhenever = 54;
inline constexpr Int kCharactersBit = Int{1} << 55;
inline constexpr Int kAllDirt = (kQueueBit << 1) - 1;
inline constexpr Int kAllConditions = kAllDirt & ~kQueueBit;
inline constexpr Int kFirstEnding = 56, kLastEnding = 60;
inline constexpr Int kEndingBits = (Int{1} << (kLastEnding + 1)) - (Int{1} << kFirstEnding);
inline Int ending_bit(std::size_t ending) {
  return Int{1} << std::min(kFirstEnding + static_cast<Int>(ending), kLastEnding);
}

// The flags to set after a write: bits of `dirty`, and bits of `stale`, one for each memoized value (those beyond the
// last bit share it).
struct Watchers {
  Int dirty = 0, stale = 0;
  Watchers& operator|=(const Watchers& other) { return dirty |= other.dirty, stale |= other.stale, *this; }
  friend Watchers operator|(Watchers a, const Watchers& b) { return a |= b; }
};
inline constexpr Int kLastKept = 61;

// A memoized value: the State stores its results.
struct Kept {
  std::uint32_t value;
  Int bit;   // in `stale`
  std::vector<Bounds> keys;   // one for each parameter; an optional one starts one lower, with none
  Int count;   // of all combinations of keys
  Int results = -1, known = -1;   // variables: the results, and flags that mark valid ones
};

// The variable that counts how often an action was performed.
struct LimitUse {
  Int variable = -1;   // a mask of players, a bit per player and target, or a card set
  bool cards = false;
  bool per_target = false;
};

// The variables that store the answers of a window until they take effect.
enum SetSort : std::uint8_t { kSetOfCards, kSetOfCells, kSetOfOthers };
struct Answers {
  Int option = -1, held = -1;   // per player: option id or none; mask
  std::array<Int, 3> sets = {-1, -1, -1};   // per player: the elements picked for a set, by SetSort
};

// The body of an `afterwards`.
struct Deferred {
  const model::Stmt* stmt;
  const model::Body* body;
  std::vector<std::pair<model::LocalId, bool>> captured;   // local, is it a card set
};

// An anonymous choice, and the facts known at that statement.
struct AskedChoice {
  const model::Stmt* stmt = nullptr;
  const model::Body* body = nullptr;
  model::WindowId window;
  Facts facts;
  std::vector<model::LocalId> names;   // the names that it reads
};

// Internal variables that the rules cannot name.
struct OwnVariables {
  Int active = 0, turn_number = 0, round_number = 0, play_over = 0, ending = 0, cancelled = 0, dirty = 0;
  Int start_player = 0, start_event = 0;
  bool queue_used = false;
  // `latest modifier first`: the time at which each card came into force, the clock, and the time at which each player
  // took a character
  Int stamps = -1, stamp_clock = -1;
  std::map<std::uint32_t, Int> character_stamps;   // by the model's variable
  // `together`: the cards in force when it began, and the zone instance of each
  Int together_cards = -1, together_places = -1;
  Int phase_depth = -1;
  Int met_unknown = -1;   // set when the result of a three-valued function is unknown
  // scratch for fields that other rules read: (event or window, index) -> variable
  std::map<std::pair<std::uint32_t, Int>, Int> window_field, event_field, window_left;
  std::vector<std::vector<Int>> event_gives, window_gives;   // see hand_over
  std::map<std::uint32_t, Int> event_depth, window_depth;   // how many are running: of events by of_name()
};

// The functions of the Program by purpose.
struct FunctionTable {
  std::vector<ir::FunctionIndex> event, event_body, value, function, window, action;
  std::vector<ir::FunctionIndex> holds, land;   // 0 if unused
  std::vector<ir::FunctionIndex> whenever;
  std::map<std::uint32_t, ir::FunctionIndex> supposed;
  std::map<std::pair<std::size_t, std::size_t>, ir::FunctionIndex> handler;
  std::map<std::pair<std::size_t, std::size_t>, ir::FunctionIndex> chain;   // event, position in its chain
  // of events that are matched again: with other arguments; the rules after the event, if it can happen more than once
  std::map<std::size_t, ir::FunctionIndex> attempt, afters;
  ir::FunctionIndex settle = 0, settle_player = 0, check = 0, queue_runner = 0;
  bool has_settle_player = false;
  // three-valued versions of values and functions, for the knowledge of the deciding player
  std::map<std::tuple<bool, std::uint32_t, std::vector<Fact>>, ir::FunctionIndex> asked;
  std::optional<ir::FunctionIndex> forget;   // resets OwnVariables::met_unknown
  // versions of values and functions that record explanations, including membership in sets
  std::map<std::tuple<bool, std::uint32_t, bool>, ir::FunctionIndex> explained;
  std::set<ir::FunctionIndex> enders;   // functions that contain an `end` of their own
};

// Variables of windows in real time.
struct RaceVariables {
  Int tie = 0, quiet = 0, resume = 0, asked = 0, timers = 0, quiets = 0;
  Answers answers;
  // by window and Race::resumes: variables for Resume::held
  std::map<std::pair<std::uint32_t, std::size_t>, std::vector<Int>> held;
};

struct Limits {
  std::map<std::pair<std::size_t, std::size_t>, LimitUse> of_action;   // action, limit
  std::map<std::pair<std::uint32_t, int>, Int> of_group;
  std::map<model::Scope, std::vector<Int>> of_scope;   // variables to clear
  std::map<std::uint32_t, std::set<Int>> of_window;
};

// The flags to set after a write of each variable or zone.
struct Watching {
  std::map<std::uint32_t, Watchers> variables;
  std::vector<Watchers> entered, left;   // by zone
  Watchers zones, players, always;   // zones: of conditions that read any zone
  std::vector<Int> whenever_told, whenever_bit;
  Int sleeping_bits = 0;   // of `whenever` rules that are inactive while no player has their character
  // bits of `dirty` that any condition may depend on; none if all of them are always enabled
  Int enabled = -1;
  std::vector<Kept> kept;
};

// Functions that explain why something is not allowed (explain.cpp).
struct ExplanationState {
  bool on = false;   // such functions are being emitted
  Explanations* wanted = nullptr;   // the requested explanations, or null
  std::vector<AskedChoice> choices;   // those that can be explained
  Int notes = 0;
};

// How an event is replaced. If the order of application provably makes no difference, each `instead of` rule passes the
// event directly to the next weaker one.
struct Replacing {
  bool rematches = false;   // after each `proceed` all rules that have not been applied are matched again
  bool changes = false;   // some `proceed` passes other arguments, so the event may differ from its announcement
  bool repeats = false;   // one rule may proceed more than once, so the event may happen more than once
  // variables; -1 if there are none
  Int happened = -1;   // set if it happened since the last run of its `after` rules
  Int proceeded = -1;   // set if the rule that was applied last proceeded
  // if arguments change: by handler, the carriers whose `before` rules ran: 0 or 1, a mask of players or a set of cards
  std::map<std::size_t, Int> ran_before;
};

// A moment at which a measure is recorded.
struct Noted {
  Int id;   // in Program::measures
  std::size_t measure, moment;   // in the Model
};

struct ProgramContext : plan::ProgramFacts {
  ProgramContext(const model::Model& of, Diagnostics& to, bool without_short_cuts,
                 std::unique_ptr<Program> written = std::make_unique<Program>())
      : ProgramFacts(of, *written, without_short_cuts), diagnostics(to), owned(std::move(written)), program(*owned) {
    program.plain = plain;
  }
  ProgramContext(const ProgramContext&) = delete;

  ir::Function& function(ir::FunctionIndex i) { return program.playout.functions[i]; }

  Diagnostics& diagnostics;
  std::unique_ptr<Program> owned;
  Program& program;
  bool too_large = false;

  OwnVariables variables;
  FunctionTable functions;
  RaceVariables race;
  Limits limits;
  Watching watching;
  ExplanationState explaining;

  // the requested measures, by event, action or (0) the end of the game
  std::map<std::pair<model::MomentKind, std::uint32_t>, std::vector<Noted>> measured;

  std::vector<Planned>* planned = nullptr;   // collects the plans, or null
  // event -> `instead of` handlers, strongest first
  std::map<std::size_t, std::vector<std::size_t>> instead_chain;
  std::vector<Replacing> replacing;   // by event
  std::set<std::uint32_t> ended_events, ended_windows;   // named by some `end`
  std::vector<Deferred> deferred;
  std::deque<model::Expr> own_exprs;
  // parameters: the label reveals them exactly as far as the choice does
  std::set<const model::Expr*> named_in_labels;
};

}   // namespace cardwright::lower
