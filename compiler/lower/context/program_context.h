// Defines the context of the entire Program while its functions are emitted: facts about the Model, and the index of
// every Model element in the Program. Functions that emit code take a FunctionContext instead.
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

#include "compiler/lower/context/env.h"
#include "compiler/lower/context/requests.h"
#include "compiler/plan/facts.h"
#include "compiler/model/visit.h"
#include "support/diagnostics.h"
#include "runtime/program/program.h"
#include "runtime/ops/game.h"

namespace cardwright::lower {

// Values of the variable `ending`, which identifies the scope that an `end` in progress leaves. 0 means that no `end`
// is in progress.
inline constexpr Int kEndGame = 1, kEndPlay = 2, kEndPhase = 3, kEndFirst = 4;
inline constexpr Int kNotLanded = -1;
inline constexpr Int kEndedBy = 1 << 14;   // ending == target + kEndedBy * Env::ended_by

// Bits of the variable `dirty` (watch.cpp): one bit for each `whenever` rule, one bit for changes of characters, one
// bit for each `end when` from kFirstEnding on, and one bit for the queue. If there are too many `whenever` rules or
// endings, those beyond the limit share the last bit of their kind.
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

// The flags to set after a write: bits of `dirty` and bits of `stale`. Each memoized value has a bit of `stale`. If
// there are too many values, those beyond the limit share the last bit.
struct Watchers {
  Int dirty = 0, stale = 0;
  Watchers& operator|=(const Watchers& other) { return dirty |= other.dirty, stale |= other.stale, *this; }
  friend Watchers operator|(Watchers a, const Watchers& b) { return a |= b; }
};
inline constexpr Int kLastMemoizedBit = 61;

// A memoized value, whose results are stored in the State.
struct MemoizedValue {
  std::uint32_t value;
  Int bit;   // bit of `stale` that marks the results as outdated
  // The bounds of each parameter. For an optional parameter, the lower bound is decreased by one, and the lowest key
  // represents none.
  std::vector<Bounds> keys;
  Int count;   // number of combinations of parameter values
  // Variables that store the results and, for each result, a flag that marks it as valid.
  Int results = -1, known = -1;
};

// The variable that records the uses of an action that has a limit.
struct LimitUse {
  Int variable = -1;   // stores a mask of players, one bit per player and target, or a set of cards
  bool cards = false;
  bool per_target = false;
};

enum SetSort : std::uint8_t { kSetOfCards, kSetOfCells, kSetOfOthers };

// The variables that store the answers of a window until they take effect.
struct Answers {
  // `option`: each player's option id, or none. `held`: the mask of players whose option was possible when they chose
  // it.
  Int option = -1, held = -1;
  // By SetSort: the variables that store the elements that each player picked for a set.
  std::array<Int, 3> sets = {-1, -1, -1};
};

// The body of an `afterwards`.
struct Deferred {
  const model::Stmt* stmt;
  const model::Body* body;
  std::vector<std::pair<model::LocalId, bool>> captured;   // each captured local, and whether it is a set of cards
};

// An anonymous choice, and the facts that hold at its statement.
struct AskedChoice {
  const model::Stmt* stmt = nullptr;
  const model::Body* body = nullptr;
  model::WindowId window;
  Facts facts;
  std::vector<model::LocalId> names;   // the names that the choice reads
};

// Internal variables, which rules cannot name.
struct OwnVariables {
  Int active = 0, turn_number = 0, round_number = 0, play_over = 0, ending = 0, cancelled = 0, dirty = 0;
  Int start_player = 0, start_event = 0;
  bool queue_used = false;
  // For `latest modifier first`: the variable that stores when each card came into force, and the clock variable.
  Int stamps = -1, stamp_clock = -1;
  // By character variable of the Model: the variable that stores when each player took the character.
  std::map<std::uint32_t, Int> character_stamps;
  // For `together`: variables that store the cards in force at the beginning of the block, and each card's zone
  // instance.
  Int together_cards = -1, together_places = -1;
  Int phase_depth = -1;
  Int met_unknown = -1;   // variable that is set when the result of a three-valued function is unknown
  // Scratch variables for fields that other rules read, by event or window and index.
  std::map<std::pair<std::uint32_t, Int>, Int> window_field, event_field, window_left;
  // Variables that pass lists and records to the caller (hand_over).
  std::vector<std::vector<Int>> event_gives, window_gives;
  // Variables that count running events (by of_name()) and open windows.
  std::map<std::uint32_t, Int> event_depth, window_depth;
};

// The functions of the Program, by purpose.
struct FunctionTable {
  std::vector<ir::FunctionIndex> event, event_body, value, function, window, action;
  std::vector<ir::FunctionIndex> holds, land;   // 0 if unused
  std::vector<ir::FunctionIndex> whenever;
  std::map<std::uint32_t, ir::FunctionIndex> supposed;
  std::map<std::pair<std::size_t, std::size_t>, ir::FunctionIndex> handler;
  std::map<std::pair<std::size_t, std::size_t>, ir::FunctionIndex> chain;   // by event and position in its chain
  // For events whose rules are matched again after a `proceed`: `attempt` runs the event with other arguments, and
  // `afters` runs its `after` rules if it can happen more than once.
  std::map<std::size_t, ir::FunctionIndex> attempt, afters;
  ir::FunctionIndex settle = 0, settle_player = 0, check = 0, queue_runner = 0;
  bool has_settle_player = false;
  // Three-valued versions of values and functions, which use only the deciding player's knowledge.
  std::map<std::tuple<bool, std::uint32_t, std::vector<Fact>>, ir::FunctionIndex> asked;
  std::optional<ir::FunctionIndex> forget;   // resets OwnVariables::met_unknown
  // Versions of values and functions that record explanations, including explanations of membership in sets.
  std::map<std::tuple<bool, std::uint32_t, bool>, ir::FunctionIndex> explained;
  // Functions that contain an `end`; excludes functions that only call such functions.
  std::set<ir::FunctionIndex> enders;
};

// Variables of windows in real time.
struct RaceVariables {
  Int tie = 0, quiet = 0, resume = 0, asked = 0, timers = 0, quiets = 0;
  Answers answers;
  // By window and index in Race::resumes: the variables that store Resume::held.
  std::map<std::pair<std::uint32_t, std::size_t>, std::vector<Int>> held;
};

struct Limits {
  std::map<std::pair<std::size_t, std::size_t>, LimitUse> of_action;   // by action and limit
  std::map<std::pair<std::uint32_t, int>, Int> of_group;
  std::map<model::Scope, std::vector<Int>> of_scope;   // the variables to clear, by scope
  std::map<std::uint32_t, std::set<Int>> of_window;
};

// The flags to set after a write, for each variable and zone.
struct Watching {
  std::map<std::uint32_t, Watchers> variables;
  std::vector<Watchers> entered, left;   // flags to set when a card enters or leaves a zone, by zone
  Watchers zones, players, always;   // `zones`: the flags of conditions that read all zones
  std::vector<Int> whenever_fired, whenever_bit;
  Int sleeping_bits = 0;   // bits of `whenever` rules that are inactive while no player has their character
  // Variable that contains the bits of `dirty` that belong to enabled rules, or -1 if all rules are always enabled.
  Int enabled = -1;
  std::vector<MemoizedValue> memoized;
};

// State that is used while functions are emitted that explain why an action or element is not allowed.
struct ExplanationState {
  bool on = false;   // true while such functions are being emitted
  bool wanted = false;
  std::vector<AskedChoice> choices;   // the choices that can be explained
  Int groups = 0;   // number of groups of explanation steps so far
};

// Describes how an event is replaced. If the order of its `instead of` rules provably makes no difference, each of them
// passes the event directly to the next weaker rule.
struct Replacing {
  bool rematches = false;   // after each `proceed`, all rules that have not been applied yet are matched again
  bool changes = false;   // a `proceed` passes other arguments, so the event may differ from its announcement
  bool repeats = false;   // a rule may proceed more than once, so the event may happen more than once
  // The following members are indices of variables, or -1 if the variable is not needed.
  Int happened = -1;   // 1 if the event happened since its `after` rules last ran
  Int proceeded = -1;   // 1 if the most recently applied rule proceeded
  // By handler: the carriers whose `before` rules have run, if arguments can change. The value is 0 or 1, a mask of
  // players, or a set of cards.
  std::map<std::size_t, Int> ran_before;
};

// A moment at which a measure is recorded.
struct Noted {
  Int id;   // index in Program::measures
  std::size_t measure, moment;   // indices in the Model
};

struct FunctionContext;

// Functions that are called from folders below those that define them, because expressions, conditions and statements
// contain each other. lower.cpp sets them; context/hooks.h calls them.
struct Hooks {
  Register (*expr)(const FunctionContext& code, const model::Expr& e) = nullptr;
  void (*branch_on)(const FunctionContext& code, const model::Expr& e, BlockIndex yes, BlockIndex no) = nullptr;
  void (*statement)(const FunctionContext& code, const model::Stmt& s) = nullptr;
};

struct ProgramContext : plan::ProgramFacts {
  ProgramContext(const model::Model& of, Diagnostics& to, bool without_short_cuts, Hooks upward,
                 std::unique_ptr<Program> written = std::make_unique<Program>())
      : ProgramFacts(of, *written, without_short_cuts),
        hooks(upward),
        diagnostics(to),
        owned(std::move(written)),
        program(*owned) {
    program.plain = plain;
  }
  ProgramContext(const ProgramContext&) = delete;

  ir::Function& function(ir::FunctionIndex i) { return program.playout.functions[i]; }

  const Hooks hooks;
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

  // The moments of the requested measures, by event or action. Index 0 represents the end of the game.
  std::map<std::pair<model::MomentKind, std::uint32_t>, std::vector<Noted>> measured;

  std::vector<Planned>* planned = nullptr;   // if not null, all plans are appended here
  // For each event, its `instead of` handlers, strongest first.
  std::map<std::size_t, std::vector<std::size_t>> instead_chain;
  std::vector<Replacing> replacing;   // by event
  std::set<std::uint32_t> ended_events, ended_windows;   // events and windows that are the target of an `end`
  std::vector<Deferred> deferred;
  std::deque<model::Expr> own_exprs;
  // Parameters in labels. A label must not reveal more about a parameter than the choice does.
  std::set<const model::Expr*> named_in_labels;
};

}   // namespace cardwright::lower
