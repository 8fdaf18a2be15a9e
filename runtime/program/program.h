// A compiled ruleset for one player count and one set of options: immutable, shared by engines and threads.
// Code (IR of both forms), layout, and all that people and tools need to show a State in words.
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

// ---- the State in words
struct KeyInfo {   // one of the indices of a variable: `T per Colour`, of an area
  ValueKind kind = ValueKind::integer;
  Int enumeration = -1;   // index into Program::enums
  Int first = 0, count = 1;
};

struct VariableInfo {
  std::string name;
  ValueKind kind = ValueKind::integer;
  Int enumeration = -1;   // index into Program::enums
  bool per_player = false;
  bool secret = false;   // its owner knows it, if `owner_knows`, others after `reveal`
  bool owner_knows = true;
  bool hidden = false;   // compiler-made: not shown
  bool rules_state = true;   // else scratch
  // it is a list of at most so many: instances follow each other, those beyond its end are unset
  Int list = 0;
  // … of lists of at most so many, each behind an instance that says whether it is there
  Int inner = 0;
  Int pool = -1;   // dealt from this variable (the pool): resample permutes inside it
  Int secret_first = -1;   // first index into Layout::knows_variable of a secret variable
  std::vector<KeyInfo> keys;   // after the player, the last counting fastest
  std::string declared;   // its type, as in the rules: "0..20"
  Range where;   // its declaration; of what the compiler made, nowhere
  Int placed = -1;   // of pieces: index into Program::placed
  Int area = -1;   // of its parts: index into Program::areas; the first key is the part
  bool temporary = false;   // of a round, turn or phase: with each it begins anew

  Int run() const { return list * (inner > 0 ? inner + 1 : 1); }   // instances of one list
};

struct ZoneInfo {
  std::string name;
  ZoneShape shape = ZoneShape::set;
  bool per_player = false;
  Int copies = 1;   // in an area: of its owner, if it has one, else of the table
  Int facedown_zone = -1;   // index of the zone that holds its face-down cards
  bool facedown = false;   // it is such a zone
  Int area = -1;   // each part has one: index into Program::areas
  bool cleared = false;   // a rule takes all its cards away at once, as tricks are taken
};

// ---- frames
// Restores a suspended game: how the slots of a function's frame are typed, for saves, resample and rule stacks.
struct FrameSlot {
  Int offset = 0;   // from the frame's base
  Int bytes = 8;
  bool is_set = false;
  bool holds_card = false;
};
struct ResumePoint {
  Range where;   // the call or decision it waits in
  ir::FunctionIndex of = 0;   // the function in which that stands: the frame's own, or one joined to it
  Int site = -1;   // the decision site, if it waits for a decision
  Int size = 0;   // bytes of the frame that are kept here; behind them the next one begins
  std::vector<FrameSlot> live;   // slots that mean something while it waits here
};
struct FrameInfo {   // by function index of Program::step
  Int first = 0;   // suspend point of resume[0]; those of a function follow each other
  Int size = 0;   // where it keeps most
  std::vector<ResumePoint> resume;   // [0] is the start: parameters
};

struct Program {
  std::string name, title, version;
  std::vector<std::pair<std::string, std::string>> options;
  Layout layout;
  std::vector<VariableSlot> variables;
  std::vector<ZoneSlot> zones;
  std::vector<Byte> initial;   // a State before setup: all bytes, main frame not pushed

  ir::Module playout;   // as lowered: direct calls, `decide` in place
  ir::Module step;   // after the split: same function indices; suspending ones became step functions
  ir::FunctionIndex main = 0;   // setup, play, end
  std::vector<Int> flow_functions;   // setup, play, turns, rounds and phases: what they open is the flow's own
  Int settle_function = -1;   // runs whenevers, afterwards and end conditions
  std::vector<FrameInfo> frames;   // for `step`
  std::vector<ir::FunctionIndex> waits;   // by suspend point: the function that waits there

  std::vector<EnumInfo> enums;
  std::vector<AreaInfo> areas;
  std::vector<Int> teams;   // by seat, from 1; empty: there are none
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
  std::vector<std::pair<Int, std::vector<Int>>> pool_counts;   // variable of a pool, its counts at the start
  // variables that begin with cells: all their instances
  std::vector<std::pair<Int, std::vector<Word>>> initial_sets;
  std::vector<std::pair<Int, Int>> homes;   // card id, zone instance it starts in
  Int active = -1, turn_number = -1, round_number = -1, play_over = -1;   // variables
  Int sensible_only = -1;   // 1: players do only what is sensible; -1 where that makes no difference
  // how each player plays, if that hangs on the seat; else -1, and `sensible_only` says it of all
  Int seat_policy = -1;
  std::vector<PolicyInfo> policies;   // of the rules, that somebody asks for
  Int policy_of_bots = kSensiblePolicy;   // by which bots play in playouts of their own
  // turns and rounds together after which the play is over, for who looks ahead; -1 where no ending asks for that
  Int horizon = -1;
  // bits of the kept values that are to be worked out again; -1 if there are none
  Int stale = -1;
  // variables read by the flow: whose turn, and with which turn, round or phase a scenario begins
  Int start_player = -1, start_event = -1;
  Int payoff = -1;   // IR function (player) -> int, or -1: 1 for winners, else 0
  std::vector<Int> claims;   // IR functions () -> bool, by model claim
  std::vector<Int> statistics;   // per-player enum variables, reported without being asked for
  std::vector<MeasureInfo> measures;   // that are noted
  Int turn_note = -1;   // the note of each turn's beginning: its number, and whose it is; -1: none
  bool figures = false;   // those that are built in are noted, too
  bool measures_anything() const { return !measures.empty() || turn_note >= 0; }
  bool knowledge_in_playout = false;   // a rule asks who knows what
  bool plain = false;   // lowered without short cuts; passes take none either
  SourceMap* sources = nullptr;   // for places in messages
};

inline const ResumePoint& resume_point(const Program& program, Int wait) {
  const FrameInfo& frame = program.frames[program.waits[static_cast<std::size_t>(wait)]];
  return frame.resume[static_cast<std::size_t>(wait - frame.first)];
}

}   // namespace cardwright
