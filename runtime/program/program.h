// Defines Program, a compiled ruleset for one player count and one set of options. It is immutable and shared by
// engines and threads. It contains code (IR of both forms), the layout, and the names needed to show a State to people.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/ir/ir.h"
#include "runtime/program/components.h"
#include "runtime/program/decisions.h"
#include "runtime/program/explanations.h"
#include "runtime/program/layout.h"
#include "runtime/program/measures.h"
#include "runtime/program/race.h"

namespace cardwright {

// ---- names and types of the State's parts
struct KeyInfo {   // one index of a variable, such as `T per Colour` or the part of an area
  ValueKind kind = ValueKind::integer;
  Int enumeration = -1;   // index into Program::enums
  Int first = 0, count = 1;
};

struct VariableInfo {
  std::string name;
  ValueKind kind = ValueKind::integer;
  Int enumeration = -1;   // index into Program::enums
  bool per_player = false;
  bool secret = false;   // unknown to all players until a `reveal`, except to its owner if `owner_knows`
  bool owner_knows = true;
  bool hidden = false;   // created by the compiler and not shown to people
  bool rules_state = true;   // false: not part of the rules state (Layout::scratch)
  // For a list: the maximum number of elements. Instances are consecutive; those beyond the end of the list are unset.
  Int list = 0;
  // For a list of lists: the maximum number of elements of an inner list, which is preceded by an instance that marks
  // it as present.
  Int inner = 0;
  Int pool = -1;   // the pool variable from which its values are dealt, or -1; resample permutes values within a pool
  Int secret_first = -1;   // first index into Layout::knows_variable of a secret variable
  std::vector<KeyInfo> keys;   // keys after the player; the last key varies fastest
  std::string declared;   // its type as written in the rules, such as "0..20"
  Range where;   // range of its declaration; unset for variables created by the compiler
  Int placed = -1;   // for pieces: index into Program::placed
  Int area = -1;   // for parts of an area: index into Program::areas; the first key is the part
  bool temporary = false;   // reset at the start of its round, turn or phase

  Int run() const { return list * (inner > 0 ? inner + 1 : 1); }   // number of instances of one list
};

struct ZoneInfo {
  std::string name;
  ZoneShape shape = ZoneShape::set;
  bool per_player = false;
  Int copies = 1;   // number of parts in an area: per owner if the area has owners, otherwise in total
  Int facedown_zone = -1;   // index of the zone that holds its face-down cards
  bool facedown = false;   // true if it holds face-down cards of another zone
  Int area = -1;   // if each part of an area has this zone: index into Program::areas, otherwise -1
  bool cleared = false;   // a rule removes all its cards at once, as for a trick
};

// ---- frames
// The types of the slots in a function's frame, needed for saves, resample and rule stacks of suspended games.
struct FrameSlot {
  Int offset = 0;   // offset from the base of the frame
  Int bytes = 8;
  bool is_set = false;
  bool holds_card = false;
};
struct ResumePoint {
  Range where;   // source range of the call or decision that the function waits for
  // The function that contains this call or decision: the one that owns the frame, or one joined to it.
  ir::FunctionIndex of = 0;
  Int site = -1;   // the decision site, or -1 if the function waits for a call
  Int size = 0;   // bytes of the frame saved here; the next frame starts after them
  std::vector<FrameSlot> live;   // slots with values that are needed after this point
};
struct FrameInfo {   // one for each function, by function index in Program::step
  Int first = 0;   // suspend point of resume[0]; those of a function are consecutive
  Int size = 0;   // size in bytes, the maximum over its suspend points
  // By suspend point of the function. [0] is its start, where the frame contains the parameters.
  std::vector<ResumePoint> resume;
};

struct Program {
  std::string name, title, version;
  std::vector<std::pair<std::string, std::string>> options;
  Layout layout;
  std::vector<VariableSlot> variables;
  std::vector<ZoneSlot> zones;
  std::vector<Byte> initial;   // a State before setup: all bytes, without the frame of main

  ir::Module playout;   // the IR as lowered: direct calls, with `decide`
  ir::Module step;   // the IR after the split: same function indices; suspending functions became step functions
  ir::FunctionIndex main = 0;   // the function that runs setup, play and end
  // Functions of setup, play, turns, rounds and phases. Windows that they open belong to the flow.
  std::vector<Int> flow_functions;
  Int settle_function = -1;   // the function that runs whenevers, afterwards and end conditions
  std::vector<FrameInfo> frames;   // by function of `step`
  std::vector<ir::FunctionIndex> waits;   // by suspend point: the function that it belongs to

  std::vector<EnumInfo> enums;
  std::vector<AreaInfo> areas;
  std::vector<Int> teams;   // by seat: the number of its team, from 1; empty if there are no teams
  std::vector<SetListInfo> set_lists;
  std::vector<BoardInfo> boards;
  std::vector<PlacedInfo> placed;
  std::vector<ShownInfo> shown;
  std::vector<AttributeInfo> attributes;
  std::vector<KindInfo> kinds;
  std::vector<CardInfo> cards;
  std::vector<VariableInfo> variable_infos;
  std::vector<ZoneInfo> zone_infos;
  std::vector<ActionInfo> actions;   // in ascending order of `base`
  Explanations explanations;   // empty unless the compiler created the Program for explanations
  std::vector<EndingInfo> endings;
  std::vector<SiteInfo> sites;
  std::vector<AtOnceInfo> at_once;
  std::optional<RaceInfo> race;
  Int option_ids = 0;   // size of the whole action space
  std::vector<std::pair<Int, std::vector<Int>>> pool_counts;   // the variable of each pool, with its initial counts
  // Variables that initially contain a set of cells, which is the same in all their instances.
  std::vector<std::pair<Int, std::vector<Word>>> initial_sets;
  std::vector<std::pair<Int, Int>> homes;   // initial zone instance of each card: (card id, instance)
  Int active = -1, turn_number = -1, round_number = -1, play_over = -1;   // variables; -1: none
  Int sensible_only = -1;   // variable that is 1 if players make only sensible decisions; -1 if there is no difference
  // Variable with the policy of each player if policies depend on the seat. Otherwise -1, and `sensible_only` applies
  // to all players.
  Int seat_policy = -1;
  std::vector<PolicyInfo> policies;   // policies of the rules that are in use
  Int policy_of_bots = kSensiblePolicy;   // the policy that bots use in their playouts
  // Variable for searches with limited depth: the number of turns and rounds after which the play is over. -1 if no
  // ending tests it.
  Int horizon = -1;
  // Variable with the dirty flags of memoized values. -1 if there are none.
  Int stale = -1;
  // Variables that the flow reads: the first player, and the turn, round or phase with which a scenario begins.
  Int start_player = -1, start_event = -1;
  Int payoff = -1;   // IR function (player) -> int, or -1 if the payoff is 1 for winners and 0 for others
  std::vector<Int> claims;   // IR functions () -> bool, one for each claim of the model
  // Score of a player, as an IR function (player) -> int: `value payoff`, or the value by which an ending finds the
  // winners. -1 if there is none. Only statistics use it.
  Int score = -1;
  std::string score_name;
  bool score_least = false;   // true if the least score wins
  std::vector<Int> statistics;   // per-player enum variables
  std::vector<Int> traits;   // the variables of `statistics` that do not change after setup, such as roles
  std::vector<MeasureInfo> measures;   // the measures that are recorded
  Int turn_note = -1;   // measure that records the number and player of each turn at its start; -1: none
  bool figures = false;   // true if the standard figures are recorded too
  bool measures_anything() const { return !measures.empty() || turn_note >= 0; }
  bool knowledge_in_playout = false;   // true if a rule queries knowledge, so that playouts track it
  bool plain = false;   // true if neither lowering nor the passes optimize it
  SourceMap* sources = nullptr;   // provides source positions for messages
};

inline const ResumePoint& resume_point(const Program& program, Int wait) {
  const FrameInfo& frame = program.frames[program.waits[static_cast<std::size_t>(wait)]];
  return frame.resume[static_cast<std::size_t>(wait - frame.first)];
}

}   // namespace cardwright
