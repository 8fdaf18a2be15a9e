// A compiled ruleset for one player count and one set of options: immutable, shared by engines and threads. It contains
// code (IR of both forms), the layout, and the names needed to show a State to people.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/ir/ir.h"
#include "runtime/program/components.h"
#include "runtime/program/decisions.h"
#include "runtime/program/layout.h"
#include "runtime/program/measures.h"
#include "runtime/program/race.h"

namespace cardwright {

// ---- names and types of the State's parts
struct KeyInfo {   // an index of a variable: `T per Colour`, of an area
  ValueKind kind = ValueKind::integer;
  Int enumeration = -1;   // index into Program::enums
  Int first = 0, count = 1;
};

struct VariableInfo {
  std::string name;
  ValueKind kind = ValueKind::integer;
  Int enumeration = -1;   // index into Program::enums
  bool per_player = false;
  bool secret = false;   // known only to its owner, if `owner_knows`, until a `reveal`
  bool owner_knows = true;
  bool hidden = false;   // created by the compiler: not shown
  bool rules_state = true;   // false: scratch
  // a list with at most this many elements: instances follow each other, those beyond its end are unset
  Int list = 0;
  // a list of lists with at most this many elements, each preceded by an instance that marks it as present
  Int inner = 0;
  Int pool = -1;   // dealt from this variable (the pool), inside which resample permutes
  Int secret_first = -1;   // first index into Layout::knows_variable of a secret variable
  std::vector<KeyInfo> keys;   // after the player; the last one varies fastest
  std::string declared;   // its type, as in the rules: "0..20"
  Range where;   // its declaration; unknown for variables created by the compiler
  Int placed = -1;   // for pieces: index into Program::placed
  Int area = -1;   // for parts of an area: index into Program::areas; the first key is the part
  bool temporary = false;   // reset at the start of its round, turn or phase

  Int run() const { return list * (inner > 0 ? inner + 1 : 1); }   // instances of one list
};

struct ZoneInfo {
  std::string name;
  ZoneShape shape = ZoneShape::set;
  bool per_player = false;
  Int copies = 1;   // in an area: per owner if it has owners, else for the table
  Int facedown_zone = -1;   // index of the zone that holds its face-down cards
  bool facedown = false;   // true if it holds face-down cards of another zone
  Int area = -1;   // each part has one: index into Program::areas
  bool cleared = false;   // a rule removes all its cards at once, like a trick
};

// ---- frames
// The types of the slots in a function's frame, needed for saves, resample and rule stacks of suspended games.
struct FrameSlot {
  Int offset = 0;   // from the frame's base
  Int bytes = 8;
  bool is_set = false;
  bool holds_card = false;
};
struct ResumePoint {
  Range where;   // the call or decision it waits for
  ir::FunctionIndex of = 0;   // the function that contains it: the frame's own, or one joined to it
  Int site = -1;   // the decision site, if it waits for a decision; otherwise -1
  Int size = 0;   // bytes of the frame saved here; the next frame starts after them
  std::vector<FrameSlot> live;   // slots in use at this point
};
struct FrameInfo {   // by function index of Program::step
  Int first = 0;   // suspend point of resume[0]; those of a function are consecutive
  Int size = 0;   // maximum over its suspend points
  std::vector<ResumePoint> resume;   // [0] is the start: parameters
};

struct Program {
  std::string name, title, version;
  std::vector<std::pair<std::string, std::string>> options;
  Layout layout;
  std::vector<VariableSlot> variables;
  std::vector<ZoneSlot> zones;
  std::vector<Byte> initial;   // a State before setup: all bytes, without the frame of main

  ir::Module playout;   // as lowered: direct calls, with `decide`
  ir::Module step;   // after the split: same function indices; suspending functions became step functions
  ir::FunctionIndex main = 0;   // setup, play, end
  std::vector<Int> flow_functions;   // setup, play, turns, rounds and phases: windows that they open belong to the flow
  Int settle_function = -1;   // runs whenevers, afterwards and end conditions
  std::vector<FrameInfo> frames;   // for `step`
  std::vector<ir::FunctionIndex> waits;   // by suspend point: the function

  std::vector<EnumInfo> enums;
  std::vector<AreaInfo> areas;
  std::vector<Int> teams;   // by seat, numbered from 1; empty: no teams
  std::vector<SetListInfo> set_lists;
  std::vector<BoardInfo> boards;
  std::vector<PlacedInfo> placed;
  std::vector<ShownInfo> shown;
  std::vector<AttributeInfo> attributes;
  std::vector<KindInfo> kinds;
  std::vector<CardInfo> cards;
  std::vector<VariableInfo> variable_infos;
  std::vector<ZoneInfo> zone_infos;
  std::vector<ActionInfo> actions;   // ascending bases
  std::vector<Reason> reasons;
  std::vector<EndingInfo> endings;
  std::vector<SiteInfo> sites;
  std::vector<AtOnceInfo> at_once;
  std::optional<RaceInfo> race;
  Int option_ids = 0;   // size of the whole action space
  std::vector<std::pair<Int, std::vector<Int>>> pool_counts;   // variable of a pool, its initial counts
  // variables with an initial set of cells, the same for all their instances
  std::vector<std::pair<Int, std::vector<Word>>> initial_sets;
  std::vector<std::pair<Int, Int>> homes;   // card id, initial zone instance
  Int active = -1, turn_number = -1, round_number = -1, play_over = -1;   // variables
  Int sensible_only = -1;   // 1: players make only sensible decisions; -1 if that makes no difference
  // the policy of each player, if it depends on the seat; else -1, and `sensible_only` applies to all
  Int seat_policy = -1;
  std::vector<PolicyInfo> policies;   // policies of the rules that are in use
  Int policy_of_bots = kSensiblePolicy;   // the policy of bots in their playouts
  // number of turns and rounds after which the play is over, for searches with limited depth; -1 if no ending tests it
  Int horizon = -1;
  // dirty flags of the memoized values; -1 if there are none
  Int stale = -1;
  // variables read by the flow: the first player, and the turn, round or phase with which a scenario begins
  Int start_player = -1, start_event = -1;
  Int payoff = -1;   // IR function (player) -> int, or -1: 1 for winners, else 0
  std::vector<Int> claims;   // IR functions () -> bool, by model claim
  std::vector<Int> statistics;   // per-player enum variables, always reported
  std::vector<MeasureInfo> measures;   // the measures that are noted
  Int turn_note = -1;   // measure noted at the start of each turn: its number and player; -1: none
  bool figures = false;   // true if the standard figures are noted too
  bool measures_anything() const { return !measures.empty() || turn_note >= 0; }
  bool knowledge_in_playout = false;   // a rule queries knowledge
  bool plain = false;   // lowered without optimisations; passes do not optimise it either
  SourceMap* sources = nullptr;   // for source positions in messages
};

inline const ResumePoint& resume_point(const Program& program, Int wait) {
  const FrameInfo& frame = program.frames[program.waits[static_cast<std::size_t>(wait)]];
  return frame.resume[static_cast<std::size_t>(wait - frame.first)];
}

}   // namespace cardwright
