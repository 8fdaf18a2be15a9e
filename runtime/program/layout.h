// Where everything lies in a State, and what the operations must know about it.
// Plain data without pointers: lower/ fills it in, the interpreter reads it, the JIT makes it a constant so that
// every offset folds. See docs/architecture.md, "State".
#pragma once

#include <cstdint>
#include <limits>

namespace cardwright {

using Int = std::int64_t;
using Word = std::uint64_t;
using Byte = std::uint8_t;

inline constexpr Int kNone = std::numeric_limits<Int>::min();
inline constexpr Int kUnlimited = Int{1} << 40;   // this and above absorbs arithmetic

inline constexpr Int kMaxWords = 512;   // of a set: 32,767 cells or edges of a board
inline constexpr Int kMaxCardIds = 6'144;   // 4,096 cards, and a guard for every two of them
inline constexpr Int kMaxPlayers = 16;
inline constexpr Int kMaxInstances = 128;   // zone instances
// zone instances that somebody can't see into, and their arranged cards
inline constexpr Int kMaxHidden = 64;
inline constexpr Int kMaxFrame = 0xffff;   // bytes of a frame
inline constexpr Int kMaxWaits = 0xffff;   // suspend points of a Program

// Observers that are no player: who knows everything, and who knows what every player knows.
inline constexpr Int kKnowsAll = -1, kKnowsWhatAllKnow = -2;

enum class ZoneShape : std::uint8_t { set, pile, row, slot };   // row: as a pile, but all of it is seen in order

// A variable: `count` values of `bytes` bytes each from `offset`. Stored = value - lo + bias; bias 2 keeps 0 for unset
// and 1 for none where either can be. A set variable is `words` words each, and can't be unset.
struct VariableSlot {
  Int offset = 0;
  Int bytes = 1;   // 1 2 4 8
  Int count = 1;
  Int lo = 0, hi = 0;   // a store outside traps; of a set: which elements it can hold
  Int bias = 0;   // 0 or 2
  Int optional = 0;   // none may be stored
  Int is_set = 0;
  Int initial = 0;   // value of each instance at the start and after `clear`; kNone = none; kUnset = unset
};
inline constexpr Int kUnset = kNone + 1;

struct ZoneSlot {
  Int first = 0;   // instance = first + owner * copies + copy
  Int owners = 1;   // 1 for the table, else the number of seats
  Int copies = 1;
};

struct ZoneInstance {
  Int zone = 0;
  Int owner = -1;   // seat, or -1 for the table
  Int shape = 0;   // ZoneShape
  Int visible = 0;   // mask of the players who see which cards lie in it (a face-down pile: nobody)
  Int refill = -1;   // instance that is shuffled and put under this pile when it runs out, or -1
  Int ordered = 0;   // its order is kept
  Int ends = 0;   // offset: its topmost and its bottommost fixed card, see below
  // of an ordered zone with sides: the instance that holds the cards which lie the other way up
  Int other_side = -1;
  Int hidden_bit = -1;   // index among the places that somebody can't see into, or -1
  Int arranged_bit = -1;   // that of its arranged cards, which are a place of their own; -1: none are kept apart
  Int stamped = 0;   // the time at which a card enters is stored in Layout::stamps
  Int asked = 1;   // a playout that knows something knows it of the cards here: rules ask (passes/asked_zones)
};
// A pile is: fixed top cards, then the bag (any order, drawn when a card leaves), then fixed bottom cards. Since a card
// lies in one pile at a time, all share two things: `loose`, the cards of bags, and `next`, by card its neighbour in
// the fixed part: in the top part the card below it, in the bottom part the card above. `ends` is where they begin,
// from the top and from the bottom. A neighbour is stored as its id + 1, and none as 0, so that equal piles are equal
// bytes. Where cards may lie face down on an ordered zone its two instances are one pile: they have the same `ends` and
// one bag, and only which cards are members of which says how they lie.

struct Layout {
  Int words = 1;   // words of a set of cards or cells
  Int players = 0;   // who sat down
  Int card_ids = 0;   // ids in use or reserved as guards; < 64 * words
  Int card_bytes = 1;   // width of a neighbour
  Int capacity = 0;   // cards in all
  Int instances = 0;
  Int variables = 0;
  Int ordered_from = 0, ordered_end = kMaxInstances;   // instances whose order is kept are among these;
  Int ordered_all = 0;   // 1: are these
  // 0 while nothing is ever put at the bottom of a pile, nor taken from there: a playout of such rules
  Int has_bottoms = 1;

  // offsets of the regions, ascending; [0, rules_end) is the rules state, which is hashed
  Int in_game = 0;   // 2 bytes: mask of the players still in
  Int over = 0;   // 1 byte: the game is over
  Int winners = 0;   // 2 bytes: mask
  Int members = 0;   // words per zone instance
  Int loose = 0;   // words: cards whose place in their pile is not drawn yet
  Int next = 0;   // card_bytes per card id: its neighbour in a pile
  Int rules_end = 0;
  // 4 bytes per card id: the time at which it entered a zone whose entries are timed, and the clock, which counts the
  // entries; offsets of two variables, -1 if no value is `latest modifier first`
  Int stamps = -1, stamp_clock = -1;
  // window fields, counters of recursion, limits per window: variables that are not rules state
  Int scratch = 0;
  // ring of `afterwards`: 1 byte head, 1 byte length, then entries of queue_entry bytes (ops/queue.h)
  Int queue = 0;
  Int queue_entry = 0;
  Int queue_ints = 0, queue_sets = 0, queue_length = 0;
  Int queue_bytes = 8;   // of an int argument; narrow ones keep none as their least value
  // 8 bytes chance, then 8 per player: policy streams; if it races, 8 per player: latency, and 16: what is drawn next
  // (ops/random.h)
  Int streams = 0;
  Int races = 0;   // 1: some window is in real time
  Int decisions = 0;   // 4 bytes: decisions so far
  Int ended_by = 0;   // 2 bytes: 1 + index of Program::endings; 0 before, and where a rule went wrong
  Int unknown = 0;   // per player a card set: those that the player does not know (ops/knowledge.h)
  // 2 bytes per instance of a secret variable, in order of the variables: a mask of the players who know it
  Int knows_variable = 0;
  // a playout needs [0, live_end) only; `unknown` and `knows_variable` are among that if a rule asks
  Int live_end = 0;
  Int stack_top = 0;   // 4 bytes: offset of the top frame (0 = none)
  Int frames = 0;   // suspended functions (ops/frames.h)
  Int frames_end = 0;
  Int where = 0;   // where_planes card sets: bits of each card's number
  Int where_planes = 0;
  // per number, per player, where_bytes: mask of hidden instances where such a card may be, if the player doesn't know
  // it
  Int places = 0;
  Int where_bytes = 8;
  // a card set, where some pile has an arranged_bit: cards that have been arranged and not moved since
  Int arranged = 0;
  Int size = 0;   // of the whole State

  Int hidden = 0;   // number of hidden places
  Int hidden_instance[kMaxHidden] = {};
  Word lookalike_guards[kMaxWords] = {};   // a bit above each class of several look-alikes
  Word lookalike_starts[kMaxWords] = {};   // its lowest id
  Word lookalike_singles[kMaxWords] = {};   // classes of one
  Word all_cards[kMaxWords] = {};   // ids that are cards (not guards)
  ZoneInstance instance[kMaxInstances];
};

}   // namespace cardwright
