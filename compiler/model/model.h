// The checked meaning of one ruleset for one player count and one set of options.
// Made by sema/ (names resolved, types known, options and `extends` applied, defaults filled in), read by lower/.
// Everything that sugar can express is gone: what is left is the small core that exprs.def and stmts.def list.
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compiler/support/id.h"
#include "compiler/support/source.h"

namespace cardwright::model {

using EnumId = Id<struct EnumTag>;            // an enum or a character type: both are enumerations with attributes
using CardTypeId = Id<struct CardTypeTag>;
using KindId = Id<struct KindTag>;            // a declared `card`
using AttributeId = Id<struct AttributeTag>;
using VariableId = Id<struct VariableTag>;
using ZoneId = Id<struct ZoneTag>;
using PoolId = Id<struct PoolTag>;            // a deck of enum constants or characters: values, not cards
using ValueId = Id<struct ValueTag>;
using FunctionId = Id<struct FunctionTag>;
using EventId = Id<struct EventTag>;
using WindowId = Id<struct WindowTag>;
using ActionId = Id<struct ActionTag>;
using GroupId = Id<struct GroupTag>;          // `as shot`
using TimerId = Id<struct TimerTag>;
using LocalId = Id<struct LocalTag>;          // index into Body::locals

// `none` and `unlimited` as numbers. Arithmetic on none traps; unlimited saturates.
inline constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::min();
inline constexpr std::int64_t kUnlimited = std::int64_t{1} << 40;
// A duration is an integer of microseconds whose type says so in `ref`; the longest is 71 minutes.
inline constexpr std::uint32_t kDurationRef = 0xfffffffe;
inline constexpr std::int64_t kLongest = 0xffffffff;
// Without an `after` a window in real time ends with an error at this time.
inline constexpr std::int64_t kRaceLimit = 600'000'000;

enum class TypeKind : std::uint8_t {
  poison,      // an error was reported; says nothing more
  nothing,     // a call without a value
  boolean,
  integer,     // lo..hi
  player,
  card,        // any card; `ref` narrows to a card type (or invalid)
  enumeration, // ref = EnumId; characters too
  kind,        // a card kind as a value (`c.kind`)
  set,         // of elem: player, card, enumeration, kind or integer in 0..63
  list,        // of elem, at most `most`
  // one of a SetList, by its position lo..hi; ref = which list. Its name means the set: see ExprKind::listed_set
  listed,
  map,         // elem per key (key: player, enumeration, or integer range)
  record,      // of ref=index into Model::records; sema takes it apart: no variable, local or parameter has this type
  text,
};

struct Type {
  TypeKind kind = TypeKind::nothing;
  bool optional = false;
  std::int64_t lo = 0, hi = 0;              // integer bounds; for unbounded int: -kUnlimited..kUnlimited
  std::uint32_t ref = ~std::uint32_t{0};    // EnumId / CardTypeId index
  std::int64_t most = 0;                    // list capacity
  std::shared_ptr<const Type> elem;         // set, list, map
  std::shared_ptr<const Type> key;          // map
};

// ------------------------------------------------------------------ code

enum class ExprKind : std::uint8_t {
#define EXPR(name, looks, parts, layout) name,
#include "compiler/model/exprs.def"
};
enum class StmtKind : std::uint8_t {
#define STMT(name, parts, layout) name,
#include "compiler/model/stmts.def"
};

struct Stmt;
using Block = std::vector<const Stmt*>;

struct Expr {
  ExprKind kind;
  Type type;
  Range range;
  std::int64_t value = 0;            // see exprs.def
  std::uint32_t ref = ~std::uint32_t{0};
  LocalId local;
  std::string text;                  // see exprs.def; of a condition that nobody wrote: what it means when it fails
  std::vector<std::int64_t> values;
  std::vector<const Expr*> args;     // may hold nullptr where exprs.def says `?`
};

struct Stmt {
  StmtKind kind;
  Range range;
  std::int64_t value = 0;            // see stmts.def
  std::uint32_t ref = ~std::uint32_t{0};
  LocalId local;
  std::string text;
  std::vector<const Expr*> exprs;
  std::vector<Block> blocks;
  const Expr* why = nullptr;         // return_value: a text that says why it is so
};

struct Local {
  std::string name;
  Type type;
  Range range;
};

// The code of one rule, with all its locals. Parameters are locals too; `me` and `this` where they exist.
struct Body {
  std::vector<Local> locals;
  Block block;
  bool present = false;              // an event without a body is an announcement
};

// ------------------------------------------------------------------ components

struct Attribute {
  std::string name;
  Type type;
  bool unprinted = false;            // not shown to people
  Range range;
};

struct EnumConst {
  std::string name;                  // as written in rules
  std::string label;                 // as shown to people ("Lil' Brudder")
  std::int64_t number = 0;           // the `= 14` of `ace = 14`, else the position
  std::vector<std::int64_t> attributes;   // by Enum::attributes; kNone where absent
  std::string text;                  // printed text, for people
  Range range;
};
// a set of them is an int, whose uppermost bits `none` and the unset need
inline constexpr std::size_t kMostConstants = 62;
inline constexpr std::int64_t kMostInSet = kMostConstants - 1;   // the greatest number in a set, for the same reason
struct Enum {
  std::string name;
  bool character = false;
  bool numbered = false;             // has explicit numbers: arithmetic and order use EnumConst::number
  std::vector<AttributeId> attributes;
  std::vector<EnumConst> constants;  // at most kMostConstants, or the cells of a board
  // of a board, as its edges are: sets of them have a bit for each, however many there are
  bool cells = false;
  bool dirs = false;                 // the directions of a board
  Range range;
};

// A way to a neighbour: how far to the east and to the north.
struct Direction {
  const char* name;
  std::int64_t east, north;
};
// They go round clockwise, and the second half of them is the first half turned round.
inline constexpr Direction kOfSquares[] = {{"N", 0, 1},  {"NE", 1, 1},   {"E", 1, 0},  {"SE", 1, -1},
                                           {"S", 0, -1}, {"SW", -1, -1}, {"W", -1, 0}, {"NW", -1, 1}};
inline constexpr Direction kOfHexagons[] = {{"NE", 0, 1},  {"E", 1, 0},  {"SE", 1, -1},
                                            {"SW", 0, -1}, {"W", -1, 0}, {"NW", -1, 1}};

// What has a place on a board (a piece, or a card that may lie on one) covers there, by sort (what is of a size is one)
// and facing: offsets from its `at`.
struct Shapes {
  std::string name;                  // of the pieces or of the type of card
  std::uint32_t board = 0;           // on which they lie
  std::int64_t facings = 1;          // shape number = sort * facings + facing; one, if turning changes nothing
  std::vector<std::vector<std::pair<std::int64_t, std::int64_t>>> offsets = {};
  std::vector<std::int64_t> lengths = {};   // of what covers edges, by shape: so many in a row, from its own on
};
// Where a piece or a card says that it lies: variables of the area, or of the card.
struct Placing {
  VariableId at;
  std::optional<VariableId> facing;
  std::optional<std::uint32_t> shapes;   // index into Model::shapes; none: one cell
  std::optional<AttributeId> sort = {};  // of the constant or card: which sort of them; none: there is one
  bool edges = false;                // it lies on edges, and `at` is one
};

// A grid of squares; or a rhombus of hexagons, each row of which begins half a cell further to the east than the one
// below; or a graph: points, and lines between some of them. A cell is a constant of `cells`: y * width + x, from 0, x
// to the east and y to the north. The points of a graph count as one row.
struct Board {
  std::string name;
  EnumId cells;
  EnumId dirs;                       // a graph has none
  std::int64_t width = 0, height = 0;
  bool across = false, down = false; // what leaves it at one side comes in at the other
  bool hex = false;
  bool graph = false;
  // of a graph, by point: those to which a line leads, ascending
  std::vector<std::vector<std::int64_t>> joined;
  std::vector<std::pair<std::int64_t, std::int64_t>> places;         // of a graph, by point: where it is drawn
  // The border between two cells is an edge, as is the border of a cell at the rim. They are numbered by cell and
  // direction: those of the first half of the sides of each cell (north and east), then those at the rim that have no
  // such cell.
  EnumId edges;                      // a graph has none
  // by cell, then direction: its edge; kNone at a corner
  std::vector<std::int64_t> borders;
  // by edge: the cell that it is named after, the other or kNone
  std::vector<std::pair<std::int64_t, std::int64_t>> between;
  struct Shows {                     // `shows level`: what `play` draws on a cell where nothing lies, or on an edge
    Body body;                       // { return <int, bool or constant> }; its first local is the cell or edge
    Type type;
    std::string text;                // what it is called, or else as it is written
  };
  std::optional<Shows> shows = {}, edges_show = {};
  Range range;

  // The cell so far to the east and north, or none. (Where it wraps, `next` goes on.)
  std::int64_t at(std::int64_t cell, std::int64_t east, std::int64_t north) const;
  std::int64_t border(std::int64_t cell, std::int64_t direction) const {
    return borders[static_cast<std::size_t>(cell * directions() + direction)];
  }
  void find_edges();
  std::int64_t size() const { return width * height; }
  std::span<const Direction> ways() const {
    return graph ? std::span<const Direction>()
           : hex ? std::span<const Direction>(kOfHexagons)
                 : std::span<const Direction>(kOfSquares);
  }
  std::int64_t directions() const { return static_cast<std::int64_t>(ways().size()); }
  // The edges in a row from one on, to the east or to the north; fewer than `length` where they would leave the board.
  std::vector<std::int64_t> in_a_row(std::int64_t edge, std::int64_t length) const;
  // The next cell that way (a constant of `dirs`), or none.
  std::int64_t next(std::int64_t cell, std::int64_t direction) const;
};
inline constexpr std::int64_t kMostCells = 1024, kMostOfAllBoards = 4096;
inline constexpr std::size_t kMostBoards = 4;

// Fields under one name. A variable `purse` of a record is the variables `purse.gold`, `purse.silver` of the Model.
struct RecordField {
  std::string name;
  Type type;
  Range range;
};
struct Record {
  std::string name;
  std::vector<RecordField> fields;
  Range range;
};

struct CardType {
  std::string name;
  std::optional<CardTypeId> base;
  std::string label;                 // template such as "{rank} of {suit}", or empty
  Range range;
};
struct Kind {                        // a `card`
  std::string name;
  std::string label;                 // "O.Z. 6400"; the name split at capitals where none was given
  std::string text;                  // printed text
  CardTypeId type;
  Range range;
};
struct Card {                        // one copy; ids are positions, sorted by kind, then by attribute values
  KindId kind;
  std::vector<std::int64_t> attributes;   // by AttributeId::index over Model::attributes; kNone where it has none
  std::optional<ZoneId> home;        // where it lies at first: `into`, or a zone that `starts with` it
  std::int64_t home_place = 0;       // of players whose, of an area in which part: from 0, owner by owner
};
struct Pool {                        // `deck Roles: Role, by players {…}`
  std::string name;
  EnumId element;
  std::vector<std::int64_t> counts;  // per constant
  Range range;
};

// A const that is a list of sets.
struct SetList {
  std::string name;
  Type element;                      // a set
  std::vector<std::vector<std::int64_t>> sets;
};

// ------------------------------------------------------------------ state

enum class Visibility : std::uint8_t { open, owner, team, hidden };   // `open` is `public`; team: of zones only
enum class Lifetime : std::uint8_t { game, round, turn, phase };

struct Variable {
  std::string name;
  Type type;                         // maps become further indices: see `indices`
  bool per_player = false;
  std::int64_t each = 0;             // in an area of players, whose parts are its first index: see Area
  std::vector<Type> indices;         // of a map variable, after the player
  const Expr* initial = nullptr;     // constant expression over options and player count; null: unset at first
  Visibility visibility = Visibility::open;   // secret = owner
  Lifetime lifetime = Lifetime::game;
  bool can_be_unset = false;         // no initial value and not optional: reading it unset traps
  std::optional<PoolId> dealt_from;  // some rule deals this pool into it: resample permutes inside it
  Range range;
};

// Dice: their face is a variable of the area.
struct Dice {
  VariableId face;
  std::vector<std::int64_t> faces;   // of each side
};

// A text that screens show: of each player, of the table, or as the sign of a piece.
struct ShownText {
  Body body;                         // { log "…" }; its first local is the player or piece
  bool of_players = false;
  std::string text;                  // as it is written
  Range range;
};

// Several places alike. A part is a number of a type whose `ref` is the area; those of players are numbered seat by
// seat.
struct Area {
  std::string name;
  std::int64_t parts = 0;            // of all players together
  std::int64_t each = 0;             // of an area of players: so many parts are each player's
  std::optional<Placing> piece = {}; // it is a kind of pieces
  std::optional<EnumId> per = {};    // … one for each constant
  std::string sign = {};             // with which it is drawn; empty: by its name
  std::optional<ShownText> drawn = {};   // … where that is worked out
  std::optional<Dice> dice = {};     // its parts are dice
  bool is_thing() const { return piece || dice; }   // … each of which people call by a name
};

// Cards that lie on a board: those of the type `type` (invalid: of any). The board is a zone of theirs.
struct LyingCards {
  CardTypeId type;
  ZoneId zone;
  Placing placing;
  std::vector<std::int64_t> sort_of;     // by kind: which of the shapes; kNone: it never lies on the board
  std::vector<std::string> signs;        // by kind: with which it is drawn; empty: by its name
};

enum class ZoneShape : std::uint8_t { set, pile, row, slot };
struct Zone {
  std::string name;
  ZoneShape shape = ZoneShape::set;
  bool per_player = false;
  std::int64_t copies = 1;           // in an area: one for each part
  std::int64_t each = 0;             // in an area of players: so many of them are each player's
  Visibility visibility = Visibility::open;   // a facedown pile is hidden, a faceup pile open
  bool of_teams = false;             // its copies belong to the teams
  std::optional<ZoneId> refill_from; // a pile; from the zone of the same player or part
  bool one_of_a_kind = false;
  Range range;

  bool has_owner() const { return per_player || each > 0; }
};

// ------------------------------------------------------------------ rules

enum class CarrierKind : std::uint8_t { nobody, character, card };

// Who or what a rule hangs on. `nobody`: the rule is always in force.
struct Carrier {
  CarrierKind kind = CarrierKind::nobody;
  EnumId character_type;             // character: the variable of a player that holds it is `character_variable`
  std::int64_t character = 0;        // constant of that type
  VariableId character_variable;
  std::vector<KindId> kinds;         // card: any of these …
  // … lying in this zone (in force `while in`); invalid: wherever the rule's `when` holds
  ZoneId zone;
};

// Precedence: compare (kind, depth, position); the highest is the strongest.
enum class RuleKind : std::uint8_t { rule, option, card };
struct Precedence {
  RuleKind kind = RuleKind::rule;
  std::uint32_t depth = 0;           // in the `extends` chain, base = 0
  std::uint32_t position = 0;        // order in the text (imports first)
  friend auto operator<=>(const Precedence&, const Precedence&) = default;
};

struct Pattern {
  enum class Kind : std::uint8_t { any, binds, equals } kind = Kind::any;
  LocalId local;                     // binds
  const Expr* value = nullptr;       // equals; often the local `me`
};

// What every rule has. `me` is unset for rules of nobody, `self` (`this`) except for card carriers.
struct RuleHead {
  Carrier carrier;
  Precedence precedence;
  LocalId me;
  LocalId self;
  const Expr* when = nullptr;
  std::string name;                  // for rule stacks: "after lose of Lil' Brudder"
  Range range;
};

enum class Hook : std::uint8_t { before, instead, after };
struct Handler {                     // before / instead of / after EVENT
  RuleHead head;
  Hook hook;
  std::vector<Pattern> patterns;     // one per parameter of the event
  Body body;                         // locals hold me, self, the bound names
};

struct Parameter {
  LocalId local;
  const Expr* initial = nullptr;     // default, evaluated at the call
};

enum class EventKind : std::uint8_t { plain, turn, round, phase };
struct Event {
  std::string name;
  EventKind kind = EventKind::plain;
  std::vector<Parameter> parameters; // turn and phases inside turns: one player; a round: none
  std::vector<LocalId> variables;    // those at the head of its body, for `E.x`; initialised in the body
  Type result;
  // A list, or the fields of a record that it gives: then it is called by `let_given`, or as a list.
  std::vector<Type> gives;
  bool returns_optional = false;     // can be cancelled: the value may be none
  Body body;                         // turn and phase: the block of the flow
  std::vector<Handler> handlers;     // in no order; lower/ sorts
  std::int64_t depth_limit = 0;      // `nested up to n`, 0: not declared
  // Nothing happens to nobody: index of the first parameter of type player (not `any player`), or none.
  std::optional<std::size_t> subject;
  Range range;
};

enum class ModifyHow : std::uint8_t { to, by, at_least, at_most };
struct Modifier {
  RuleHead head;
  ModifyHow how;
  std::vector<Pattern> patterns;
  const Expr* amount = nullptr;      // `by` carries its sign
  Body body;                         // locals only: head.me, head.self and bound names live here
};
struct Value {
  std::string name;
  std::vector<Parameter> parameters;
  Type result;
  const Expr* base = nullptr;        // or a block body
  Body body;                         // its locals are the parameters first
  const Expr* at_least = nullptr;    // the declaration's own clamps, over the parameters
  const Expr* at_most = nullptr;
  std::vector<Modifier> modifiers;
  bool kept = false;                 // stored, and worked out again when what it reads has changed
  bool timing = false;               // `race.think`: of one player, may draw latencies, read by the race alone
  Range range;
};
struct Function {                    // pure
  bool sequence = false;             // its body yields; `result` is a list of that
  bool recursive = false;            // it calls itself, perhaps through others
  bool crossings = false;            // that of std.grid, for which the engine has operations of its own
  std::int64_t depth_limit = 0;      // `nested up to n`, 0: not declared
  std::string name;
  std::vector<Parameter> parameters;
  Type result;
  Body body;                         // `= expr` became { return expr }
  Range range;
};

// `ask all of ps at once`: secret and simultaneous. The times are the host's business, and constant.
struct AtOnce {
  enum class Missing : std::uint8_t { nothing, random, pass, action } missing = Missing::nothing;   // `otherwise …`
  ActionId action;                   // of `otherwise ACTION`
  const Expr* within = nullptr;
  const Expr* together = nullptr;    // how far apart the answers may come
};

struct Resume {                      // a block that waits for the end of a pause
  Body body;
  std::vector<LocalId> held;         // what it speaks of from the rule that paused: Stmt::pause says their values
};

// `ask all of ps in real time`. Its bodies stand alone: no parameters, no `me`; what the window declares is a
// window_field in them. None of them, and nothing that they cause, asks anybody.
struct RaceTimer {                   // `after D { }`, `after D of quiet { }`
  bool quiet = false;
  std::string words;                 // what happens, for people
  const Expr* delay = nullptr;       // over the window's body, when it opens
  Body body;
  Range range;
};
struct Race {
  ValueId sight, think, patience;    // of a player
  const Expr* countdown = nullptr;   // over the window's body
  std::optional<std::size_t> countdown_then;   // of resumes
  std::vector<Resume> resumes;       // what happens when a pause is over
  std::vector<RaceTimer> timers;
  bool has_after = false;            // one of them is not `of quiet`; else there is an error at kRaceLimit
  bool has_stalemate = false;
  std::vector<ActionId> stalemate;   // that count; empty: all of the window
  Body stalemate_body;
};

struct Timer {                       // `timer doom`
  std::string name;
  std::string label;                 // for people
  bool per_player = false;
  EventId rings;                     // happens when it runs out; its parameter is the player, if it is of one
  Range range;
};

struct Window {
  std::string name;                  // unnamed windows (phases that ask) get the phase's name
  std::vector<Parameter> parameters;
  std::vector<LocalId> variables;    // window vars, for `W.x`; initialised in the body
  Type result;
  std::vector<Type> gives;           // as of an event, also if it is a set
  Body body;                         // asks are statements in it
  bool phase = false;                // the body of a phase that asks is itself a window: ask statements name it
  std::optional<AtOnce> at_once;     // then or in real time, it has no other ask
  std::optional<Race> race;
  Range range;
};

enum class Scope : std::uint8_t { window, phase, turn, round, game };
struct Limit {
  Scope scope;
  std::optional<GroupId> group;      // shared by all actions `as` that group
  std::optional<std::size_t> per_target;   // `and target`: counts per this parameter
};

enum class PickCount : std::uint8_t { one, exactly, up_to, any };
struct ActionParameter {
  LocalId local;                     // the element, or for count != one the set
  std::string name;
  Type type;                         // of one element
  const Expr* domain = nullptr;      // a set expression over me, self and earlier parameters; null: the whole type
  LocalId element;                   // what `where` and `keeping` call the candidate (the local itself if one)
  const Expr* where = nullptr;       // condition on the element (already narrowed by kind: see counts_as)
  PickCount count = PickCount::one;
  const Expr* amount = nullptr;      // of exactly / up_to
  const Expr* keeping = nullptr;     // holds after every pick; reads `local` (the set so far)
};

struct Place {                       // where a move goes
  ZoneId zone;
  const Expr* owner = nullptr;       // for player zones
  const Expr* copy = nullptr;        // for areas
};

struct Action {
  std::string name;                  // `flip_hat`; for plays `play Splash`
  std::string label;                 // template, or empty for the default words
  Block label_parts;                 // a `log` for each `{#i}` in it: what is worked out when it is shown
  RuleHead head;                     // me, who acts, always set; carrier card for actions in `while in`
  // On what it hangs: the head's carrier. Where others than its player may do it (`by`) the head has none, and its
  // first parameter is that player (`holder`), the second, if it hangs on a card, that card.
  Carrier whose;
  std::vector<WindowId> windows;     // empty and any_window: every window that asks
  bool any_window = false;
  bool free = false;
  bool secret = false;               // told to nobody but who takes it
  bool passes = false;               // declared under the name `pass`
  std::vector<Limit> limits;
  std::vector<GroupId> groups;
  std::vector<ActionParameter> parameters;   // a play's first parameter is the card (local == head.self)
  Body body;                         // locals of head, parameters, effect
  Block wrong;                       // offered, but does not hold
  Block late;                        // in real time: held when it was begun, and no longer when it lands
  bool has_wrong = false, has_late = false;
  // real time; all over the locals of `body`, durations may draw
  const Expr* takes = nullptr;       // null: lands at once
  const Expr* busy = nullptr;        // after landing
  bool by_hand = false;              // a person's hand has moved when the key is pressed
  const Expr* sensible = nullptr;    // of an option; bots and stalemates leave out what is not
  bool must = false;                 // while it is offered, waiting is not …
  const Expr* must_if = nullptr;     // … if this holds (of me and this)
  // card plays
  bool play = false;
  KindId kind;                       // the kind it is played as
  ZoneId from;                       // the hand
  std::optional<Place> to;           // moved there before the effect
  std::vector<KindId> replacing;     // kinds that leave `to` first (`replacing any Gun`) …
  std::optional<Place> replaced_to;  // … and where they go
  std::int64_t ordinal = 0;          // several plays of one kind in other windows: 0, 1, …
};

struct Whenever {
  RuleHead head;                     // when = the condition
  LocalId subject;                   // variable of a family (`whenever p: player where …`)
  Body body;
};

struct Also {                        // `Miss in me.hand is also Splash`
  RuleHead head;
  std::vector<KindId> kinds;
  ZoneId zone;                       // a zone of `me`
  KindId counts_as;
};

struct Forbid {
  RuleHead head;
  bool allow = false;
  std::vector<ActionId> actions;     // that it speaks of (a play, an action, a group, any action)
  std::vector<Pattern> patterns;     // over the parameters of a single action, else empty
  Body body;                         // locals only
};

struct EndWhen {
  const Expr* when = nullptr;
  std::string words;                 // why the game is over, for people
  Body body;                         // ends with `winners`
  Precedence precedence;
  Range range;
};

// ------------------------------------------------------------------ scenarios

struct CardMatch {                   // `Miss`, `a Ducky`, `Shot 3`, `eight of spades`
  std::optional<KindId> kind;
  std::vector<std::pair<AttributeId, std::int64_t>> attributes;
  bool unseen = false;               // in a step: one of the cards that the player does not know
  Range range;
};
struct Given {
  enum class Kind : std::uint8_t { variable, set, list, zone, top, bottom, out, only_in, lies } kind;
  VariableId variable;
  ZoneId zone;
  std::vector<std::int64_t> seats;   // whose: one per entry; all in-seats written out; empty for the table
  std::vector<std::int64_t> indices; // of a map variable; lies: the variable of its facing, and that
  std::optional<std::pair<std::size_t, CardMatch>> card_index;   // which of them is the only such card
  std::vector<std::int64_t> values;  // variable: one per seat; set, list: its elements
  std::vector<std::vector<std::int64_t>> rows;   // list of sets of cells or of lists: the elements of each
  std::vector<CardMatch> cards;      // zone, top (first = top); set, list of cards; lies: the one at the cell `values`
  bool facedown = false;             // zone: how they lie; the others stay
  Range range;
};
// Something that a step names, before it is known what is asked for: all that its words can stand for.
struct StepItem {
  std::optional<CardMatch> card;
  std::vector<std::pair<Type, std::int64_t>> values;
  std::string text;                  // as written, or the label that was quoted
};
// What a step says of a parameter; nothing: it may be any.
struct StepArgument {
  std::vector<CardMatch> cards;      // one, or those of a set
  std::vector<std::int64_t> values;
  bool is_said() const { return !cards.empty() || !values.empty() || nothing; }
  bool nothing = false;              // `[]`
};
struct StepUse {                     // an action that a step can mean
  ActionId action;
  std::vector<StepArgument> arguments;   // by parameter of the action
};
struct Step {
  enum class Verb : std::uint8_t {
    begins,
    game_begins,
    plays,
    uses,
    chooses,
    arranges,
    at_random,
    passes,
    says,
    time
  } verb;
  std::int64_t player = kNone;
  EventId event;                     // begins: the turn, round or phase
  std::int64_t seed = 1;             // game_begins
  std::optional<CardMatch> card;     // plays
  std::optional<KindId> played_as;
  std::vector<StepUse> uses;         // uses, plays: what can be meant
  std::vector<StepItem> items;       // chooses, arranges: one after the other
  bool yes = false;                  // says
  // of whom, and what comes up in this step: in the order in which dice are rolled
  std::vector<std::pair<std::int64_t, StepItem>> rolls;
  std::int64_t at = kNone;           // real time: since the opening; none: now
  std::int64_t flight = kNone;       // until it lands; none: at once. time: how much of it passes
  Range range;
  std::string text;
};
struct Claim {
  enum class Kind : std::uint8_t { holds, zone_is, can, cannot, wins, loses, knows, knows_not, logged } kind;
  std::size_t body = 0;              // holds: index into Model::claims
  // likewise: what is compared, where it is one value; with what, if that is no constant
  std::size_t value = ~std::size_t{0}, other = ~std::size_t{0};
  Type value_type;
  ZoneId zone;                       // zone_is: exactly these cards in any order; knows: the zone (top if `top`) …
  VariableId variable;               // … or the variable, with whose it is and its indices
  std::vector<std::int64_t> indices;
  bool top = false;
  std::int64_t owner = kNone;        // of that zone
  std::int64_t copy = 0;             // of an area
  std::vector<CardMatch> cards;
  std::int64_t player = kNone;       // can, wins, knows
  Step step;                         // can / cannot: what would be done
  std::vector<std::string> texts;    // logged: what stands in the log, in this order
  Range range;
  std::string text;
};
struct ScenarioLine {
  enum class Kind : std::uint8_t { given, when, then } kind;
  std::vector<Given> givens;
  std::vector<Step> steps;
  std::vector<Claim> claims;
  Range range;
};
struct Scenario {
  std::string title;
  std::vector<ScenarioLine> lines;   // the scene's givens first
  Range range;
};

// ------------------------------------------------------------------ the whole

struct OptionValue {
  std::string name;
  std::string value;                 // as written: `icon20`, `on`, `5`
};

struct Model {
  std::string name;                  // "splash"
  std::string title;                 // "Splash"
  std::int64_t players = 0;
  std::vector<SourceId> pages;       // of the standard library, which are no part of what an author wrote
  std::vector<OptionValue> options;
  std::vector<Attribute> attributes;
  std::vector<Enum> enums;
  std::vector<Board> boards;
  std::vector<Record> records;
  std::vector<CardType> card_types;
  std::optional<LyingCards> lying;
  std::vector<Kind> kinds;
  std::vector<Card> cards;
  std::vector<Pool> pools;
  std::vector<SetList> set_lists;
  std::vector<std::int64_t> teams;   // by seat, from 1; empty: there are none
  std::vector<Area> areas;
  std::vector<ShownText> shown;      // of players and the table
  std::vector<Shapes> shapes;
  std::vector<Variable> variables;
  std::vector<Zone> zones;
  std::vector<Value> values;
  std::vector<Function> functions;
  std::vector<Event> events;
  std::vector<Window> windows;
  std::vector<Action> actions;
  std::vector<std::string> groups;
  std::vector<Whenever> whenevers;
  std::vector<Also> alsos;
  std::vector<Forbid> forbids;
  std::vector<EndWhen> endings;
  std::vector<Timer> timers;
  std::vector<std::vector<ActionId>> delay_groups;   // `delay p in A, B by D`: what is held up together
  Body setup;
  Body play;
  std::optional<FunctionId> payoff;  // never set when `value payoff` exists: see payoff_value
  std::optional<ValueId> payoff_value;
  std::vector<Body> claims;          // each: { return <bool> }
  std::vector<Scenario> scenarios;   // those of this player count and these options

  // Owns the code.
  std::deque<Expr> exprs;
  std::deque<Stmt> stmts;
};

inline std::int64_t Board::next(std::int64_t cell, std::int64_t direction) const {
  const Direction& way = ways()[static_cast<std::size_t>(direction)];
  std::int64_t x = cell % width + way.east, y = cell / width + way.north;
  if (across) x = (x + width) % width;
  if (down) y = (y + height) % height;
  return x < 0 || x >= width || y < 0 || y >= height ? kNone : y * width + x;
}

inline std::vector<std::int64_t> Board::in_a_row(std::int64_t edge, std::int64_t length) const {
  std::int64_t cell = between[static_cast<std::size_t>(edge)].first, side = 0;
  while (border(cell, side) != edge) ++side;
  const bool lies = ways()[static_cast<std::size_t>(side)].east == 0;
  std::int64_t on = 0;                                     // to the east, or to the north
  while (ways()[static_cast<std::size_t>(on)].east != lies || ways()[static_cast<std::size_t>(on)].north != !lies) ++on;
  std::vector<std::int64_t> all;
  for (; cell != kNone && static_cast<std::int64_t>(all.size()) < length; cell = next(cell, on))
    all.push_back(border(cell, side));
  return all;
}
inline std::int64_t Board::at(std::int64_t cell, std::int64_t east, std::int64_t north) const {
  const std::int64_t x = cell % width + east, y = cell / width + north;
  return x < 0 || x >= width || y < 0 || y >= height ? kNone : y * width + x;
}
inline void Board::find_edges() {
  const auto is_side = [&](std::int64_t d) {
    return hex || ways()[static_cast<std::size_t>(d)].east == 0 || ways()[static_cast<std::size_t>(d)].north == 0;
  };
  const std::int64_t cell_count = width * height, half = directions() / 2;
  borders.assign(static_cast<std::size_t>(cell_count * directions()), kNone);
  const auto name_after = [&](std::int64_t cell, std::int64_t d, std::int64_t other) {
    const auto edge = static_cast<std::int64_t>(between.size());
    between.push_back({cell, other});
    borders[static_cast<std::size_t>(cell * directions() + d)] = edge;
    if (other != kNone) borders[static_cast<std::size_t>(other * directions() + (d + half) % directions())] = edge;
  };
  for (std::int64_t cell = 0; cell < cell_count; ++cell)
    for (std::int64_t d = 0; d < half; ++d)
      if (is_side(d)) name_after(cell, d, next(cell, d));
  for (std::int64_t d = half; d < directions(); ++d)                 // the rim
    for (std::int64_t cell = 0; cell < cell_count; ++cell)
      if (is_side(d) && next(cell, d) == kNone) name_after(cell, d, kNone);
}

std::string to_string(const Model& model, const Type& type);
// As print() writes it; `body` says how the locals are called.
std::string to_string(const Model& model, const Expr& e, const Body* body);
// Readable text of the whole model, stage `model` of `cardwright print`.
std::string print(const Model& model);

}  // namespace cardwright::model
