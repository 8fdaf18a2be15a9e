// A compiled ruleset for one player count and one set of options: immutable, shared by engines and threads.
// Code (IR of both forms), layout, and all that people and tools need to show a State in words.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/ir/ir.h"
#include "program/layout.h"

namespace cardwright {

struct EnumInfo {
  std::string name;
  std::vector<std::string> constants;   // names as written in rules
  std::vector<std::string> labels;      // as shown to people
  std::vector<std::string> texts;       // printed text of a character, or empty
};

// A grid of squares: its cells are the constants of an enum, y * width + x. The points of a graph are one row.
// A part of an area of players has the number of parts of each player where an enumeration has its index; a piece has
// that of its kind.
enum class ValueKind : std::uint8_t {
  integer,
  boolean,
  player,
  card,
  enumeration,
  kind,
  player_set,
  card_set,
  other_set,
  cell_set,
  part,
  piece
};

inline constexpr Int kOfKinds = -2;       // in the place of an enumeration: the other_set holds kinds of cards
inline constexpr Int kOfTime = -3;        // … the integer is a time in microseconds

// What a board shows on a cell where nothing lies.
struct BoardShows {
  Int function = -1;                    // IR function (cell) -> value
  ValueKind kind = ValueKind::integer;
  Int enumeration = -1;
  Int variable = -1;                    // whose entries it shows, if it is one table as it stands
  bool secret = false;                  // it hangs on what not all know: only who sees everything is shown it
  std::string text = {};                // as the rules say it
};

struct BoardInfo {
  std::string name;
  Int width = 0, height = 0;
  bool across = false, down = false;    // it wraps that way
  // of hexagons: each row begins half a cell further to the east than the one below
  bool hex = false;
  Int enumeration = -1;
  Int edge_enumeration = -1;            // a graph has none
  // by edge: the cell and the direction it is named after, numbers of constants
  std::vector<std::pair<Int, Int>> edges = {};
  std::vector<std::pair<Int, Int>> places = {};   // of a graph, by point: how far to the east and north it is drawn
  std::vector<std::pair<Int, Int>> lines = {};    // … the points that a line joins, each line once
  std::optional<BoardShows> shows = {}, edges_show = {};

  bool is_graph() const { return !places.empty(); }
};

struct SetListInfo {
  ValueKind kind = ValueKind::card;     // of an element of a set
  Int enumeration = -1;
  std::vector<std::vector<Int>> sets;
};

struct PlacedInfo {                     // a kind of pieces or dice, or the cards that lie on a board
  std::string name;
  bool of_players = false;              // each player has one
  std::vector<std::string> labels = {}; // by piece, if each has a name of its own
  Int at = -1, facing = -1;             // variables
  std::string sign;                     // with which it is drawn
  Int facings = 1;                      // shape = shape_of[piece] + its facing, if that makes a difference
  std::vector<Int> shape_of = {};       // by piece: its first shape; empty: it covers one cell
  std::vector<std::vector<Int>> shapes = {};  // by shape: x and y of each cell, one after the other
  Int zone = -1;                        // of cards: the zone that the board is; they are numbered by card
  std::vector<std::string> signs = {};  // of cards: with which each is drawn
  // IR function (piece) that logs its sign, and in a second line what of it the legend explains; -1: `sign`
  Int drawn = -1;
  // of what covers several edges: which, by shape and its own edge
  std::vector<std::vector<std::vector<Int>>> edges = {};
  Int face = -1;                        // of dice: the variable of their faces; they lie on no board
  Int each = 0;                         // … so many are each player's
  std::vector<Int> faces = {};          // … of each side
};

// a text that screens show beside what lies in front of each player, or of the table
struct ShownInfo {
  Int function = -1;                    // IR function (player) that logs it; of the table without one
  bool of_players = false;
};

struct KeyInfo {                          // one of the indices of a variable: `T per Colour`, of an area
  ValueKind kind = ValueKind::integer;
  Int enumeration = -1;                 // index into Program::enums
  Int first = 0, count = 1;
};

struct VariableInfo {
  std::string name;
  ValueKind kind = ValueKind::integer;
  Int enumeration = -1;                 // index into Program::enums
  bool per_player = false;
  bool secret = false;                  // its owner knows it, if `owner_knows`, others after `reveal`
  bool owner_knows = true;
  bool hidden = false;                  // compiler-made: not shown
  bool rules_state = true;              // else scratch
  // it is a list of at most so many: instances follow each other, those beyond its end are unset
  Int list = 0;
  // … of lists of at most so many, each behind an instance that says whether it is there
  Int inner = 0;
  Int pool = -1;                        // dealt from this variable (the pool): resample permutes inside it
  Int secret_first = -1;                // first index into Layout::knows_variable of a secret variable
  std::vector<KeyInfo> keys;            // after the player, the last counting fastest
  std::string declared;                 // its type, as in the rules: "0..20"
  Range where;                          // its declaration; of what the compiler made, nowhere
  Int placed = -1;                      // of pieces: index into Program::placed

  Int run() const { return list * (inner > 0 ? inner + 1 : 1); }   // instances of one list
};

struct ZoneInfo {
  std::string name;
  ZoneShape shape = ZoneShape::set;
  bool per_player = false;
  Int copies = 1;                       // in an area: of its owner, if it has one, else of the table
  Int facedown_zone = -1;               // index of the zone that holds its face-down cards
  bool facedown = false;                // it is such a zone
};

struct AttributeInfo {
  std::string name;
  ValueKind kind = ValueKind::integer;
  Int enumeration = -1;
  bool printed = true;
};
struct KindInfo {
  std::string name;                     // as written in rules
  std::string label;                    // as shown
  std::string text;                     // printed
};
struct CardInfo {                       // by card id; guards have kind -1
  Int kind = -1;
  Int look_alike = -1;                  // class index
  // "Splash", or "Hat (Ducky)" where look-alikes of a kind differ in what is printed
  std::string label;
  std::vector<Int> attributes;          // by Program::attributes
};

// An action's block of option ids: [base, base + product of counts), mixed radix in the order written.
struct ParameterInfo {
  std::string name;
  ValueKind kind = ValueKind::integer;
  Int enumeration = -1;
  Int list = -1;                        // index into Program::set_lists: the value is a position in it
  Int first = 0;                        // least value of an integer domain
  Int count = 1;                        // size of the declared domain
  std::vector<Int> cards;               // of cards, by digit: the lowest of the look-alikes …
  bool by_id = false;                   // … or, where they are empty, all cards from `first` on
  // from this digit on: one of the cards that the actor does not know, by the zone's hidden bit
  Int unseen = -1;
};
enum class ActionKind : std::uint8_t { play, use, pass, pick, done, choose, yes_no, one_of };
struct ActionInfo {
  ActionKind kind = ActionKind::use;
  std::string name;                     // "play Splash", "flip_hat", "pass", "choose card", "done"
  std::string label;                    // template with {parameter} and {#i}; "" for the default words
  Int label_text = -1;                  // IR function (actor, parameters) that logs the label, filled in
  Int base = 0;
  Int count = 1;                        // size of the block
  std::vector<ParameterInfo> parameters;
  Int card_kind = -1;                   // plays: played as
  bool secret = false;                  // who takes it, and with what, is told to nobody else
  std::vector<std::string> choices;     // one_of: the labels
  Int why = -1;                         // IR function (player, card or none) -> 0 or 1 + index into Program::reasons
  Range where;
};

// why a game may be over, in the words of the rules: the condition of an `end when`, or `winners S`
struct EndingInfo {
  std::string text;
  std::string words;                    // for people, if the rules have any
  Range where;
};

struct Reason {                         // one condition that may fail
  std::string text;                     // the part of the condition as written
  std::string words;                    // "you have already played as many as you may", or empty
  Range where;
};

struct SiteInfo {                       // a place where somebody decides
  std::string window;                   // "incoming", "main", or "" for a choice without a name
  std::string prompt;                   // "Keep one per towel", or ""
  bool tells = false;                   // something of the question is worked out: see kListTexts
  bool unseen = false;                  // what is offered hangs on what not everybody sees
  bool flow = false;                    // nothing is under way: a phase's own window, or a choice of the flow's own
  bool of_window = false;               // of a named window: nothing is under way if the flow opened it
  bool secret = false;                  // nobody else may know the answer, nor that it was given, until all are in
  bool clock = false;                   // a live race: the host is asked what comes first; see RaceInfo
  bool arranges = false;                // which card comes next in an order
  Int within = kNone, together = kNone; // microseconds the host gives for answers that are given at once
  Int missing = kNone;                  // what a missing one is: an option id, `pass`, or kAnyOption for a random one
  std::vector<Int> actions;             // indices into Program::actions that may be offered
  Range where;
};

inline constexpr Int kAnyOption = -2;

// Variables of the windows where all answer at once: what they hold back is told to nobody.
struct AtOnceInfo {
  Int asked = -1;                       // who all are asked
  Int pending = -1, first = -1;         // who has still to answer; who is asked first (or none)
  Int answers = -1, held = -1;          // per player: option id or none; mask of those whose condition held
  std::vector<Int> sets;                // per player: what was picked for a set; a variable for each sort of set
};

// A variable or parameter of a window, to which other rules reach too.
struct WindowFieldInfo {
  std::string name;
  ValueKind kind = ValueKind::integer;
  Int enumeration = -1;
  Int variable = -1;
};

struct AfterInfo {                      // an `after` of a window in real time
  bool quiet = false;                   // … `of quiet`
  std::string words;                    // what happens, for people
  Range where;
};

// Variables of the open race, if the game has any; times in microseconds since it was opened.
struct RaceInfo {
  Int open = -1;                        // 1 while one is open
  Int time = -1, next_event = -1;
  Int paused_until = -1;                // or none
  Int thinking = -1, waiting = -1, flying = -1;   // masks; who is in none is idle
  Int due = -1;                         // per player: when they decide or land: time * 64 + class * 16 + rank
  Int free = -1;                        // per player: before that they can begin nothing
  Int blocked = -1;                     // per player and delay group
  Int answers = -1, held = -1;          // what is in flight, as in AtOnceInfo
  std::vector<Int> sets;
  Int live = -1;                        // mask of the players whom the host moves
  Int speed = -1;                       // per player, 1024 = 1
  Int factor = -1;                      // of all times
  Int clock = -1;                       // of the races that are over; rules can't read it
  Int races = -1;                       // how many those are
  static constexpr Int kLengths = 16;
  Int lengths = -1;                     // of the last kLengths of them
  Int guard_at = -1;                    // when the last `after D` of the open race comes; 0: there is none
  std::vector<Int> timers;              // the rules' own: when they ring, or none
  std::vector<std::string> timer_labels;
  Int afters = -1;                      // by `after` of the open window: when it comes, or none
  std::vector<std::vector<AfterInfo>> windows_afters;        // by window
  // by window: numbers and the like, as far as nothing secret is in them
  std::vector<std::vector<WindowFieldInfo>> windows_fields;
  Int timed_out = -1;                   // by window: how many races ended just then
  std::vector<Range> guards;            // by window: that `after`
  // per player and action of `actions`: how often it took effect, or no longer could
  Int landed = -1, late = -1;
  std::vector<Int> actions;             // indices into Program::actions
  std::vector<std::vector<Int>> groups; // delay groups: indices into Program::actions
  std::vector<Int> think;               // by window: IR function (player) that sets their next decision, or -1
};

// Restores a suspended game: how the slots of a function's frame are typed, for saves, resample and rule stacks.
struct FrameSlot {
  Int offset = 0;                       // from the frame's base
  Int bytes = 8;
  bool is_set = false;
  bool holds_card = false;
};
struct ResumePoint {
  Range where;                          // the call or decision it waits in
  ir::FunctionIndex of = 0;             // the function in which that stands: the frame's own, or one joined to it
  Int site = -1;                        // the decision site, if it waits for a decision
  Int size = 0;                         // bytes of the frame that are kept here; behind them the next one begins
  std::vector<FrameSlot> live;          // slots that mean something while it waits here
};
struct FrameInfo {                      // by function index of Program::step
  Int first = 0;                        // wait point of resume[0]; those of a function follow each other
  Int size = 0;                         // where it keeps most
  std::vector<ResumePoint> resume;      // [0] is the start: parameters
};

struct Program {
  std::string name, title, version;
  std::vector<std::pair<std::string, std::string>> options;
  Layout layout;
  std::vector<VariableSlot> variables;
  std::vector<ZoneSlot> zones;
  std::vector<Byte> initial;            // a State before setup: all bytes, main frame not pushed

  ir::Module playout;                   // as lowered: direct calls, `decide` in place
  ir::Module step;                      // after the split: same function indices; suspending ones became step functions
  ir::FunctionIndex main = 0;           // setup, play, end
  std::vector<Int> flow_functions;      // setup, play, turns, rounds and phases: what they open is the flow's own
  Int settle_function = -1;             // runs whenevers, afterwards and end conditions
  std::vector<FrameInfo> frames;        // for `step`
  std::vector<ir::FunctionIndex> waits; // by wait point: the function that waits there

  std::vector<EnumInfo> enums;
  std::vector<SetListInfo> set_lists;
  std::vector<BoardInfo> boards;
  std::vector<PlacedInfo> placed;
  std::vector<ShownInfo> shown;
  std::vector<AttributeInfo> attributes;
  std::vector<KindInfo> kinds;
  std::vector<CardInfo> cards;
  std::vector<VariableInfo> variable_infos;
  std::vector<ZoneInfo> zone_infos;
  std::vector<ActionInfo> actions;      // ascending bases
  std::vector<Reason> reasons;
  std::vector<EndingInfo> endings;
  std::vector<SiteInfo> sites;
  std::vector<AtOnceInfo> at_once;
  std::optional<RaceInfo> race;
  Int option_ids = 0;                   // size of the whole action space
  std::vector<std::pair<Int, std::vector<Int>>> pool_counts;   // variable of a pool, its counts at the start
  // variables that begin with cells: all their instances
  std::vector<std::pair<Int, std::vector<Word>>> initial_sets;
  std::vector<std::pair<Int, Int>> homes;   // card id, zone instance it starts in
  Int active = -1, turn_number = -1, round_number = -1, play_over = -1;   // variables
  Int sensible_only = -1;                   // 1: players do only what is sensible; -1 where that makes no difference
  // turns and rounds together after which the play is over, for who looks ahead; -1 where no ending asks for that
  Int horizon = -1;
  // bits of the kept values that are to be worked out again; -1 if there are none
  Int stale = -1;
  // variables read by the flow: whose turn, and with which turn, round or phase a scenario begins
  Int start_player = -1, start_event = -1;
  Int payoff = -1;                      // IR function (player) -> int, or -1: 1 for winners, else 0
  std::vector<Int> claims;              // IR functions () -> bool, by model claim
  std::vector<Int> statistics;          // per-player enum variables, reported without being asked for
  bool knowledge_in_playout = false;    // a rule asks who knows what
  bool plain = false;                   // lowered without short cuts; passes take none either
  SourceMap* sources = nullptr;         // for places in messages
};

inline const ResumePoint& resume_point(const Program& program, Int wait) {
  const FrameInfo& frame = program.frames[program.waits[static_cast<std::size_t>(wait)]];
  return frame.resume[static_cast<std::size_t>(wait - frame.first)];
}

}  // namespace cardwright
