// Defines the memory layout of a State, and the data that operations need about it. It contains no pointers.
// compiler/lower creates it, the interpreter reads it, and the JIT makes it a constant so that every offset folds
// (docs/architecture.md, "State").
#pragma once

#include <cstdint>
#include <limits>

namespace cardwright {

using Int = std::int64_t;
using Word = std::uint64_t;
using Byte = std::uint8_t;

inline constexpr Int kNone = std::numeric_limits<Int>::min();
// Numbers from this value on are unlimited (ops/ints.h).
inline constexpr Int kUnlimited = Int{1} << 40;

inline constexpr Int kMaxWords = 512;   // words of a set: enough for 32,767 cells or edges of a board
inline constexpr Int kMaxCardIds = 6'144;   // enough for 4,096 cards, and one guard id for every two of them
inline constexpr Int kMaxPlayers = 16;
inline constexpr Int kMaxInstances = 128;   // maximum number of zone instances
// Maximum number of hidden places: zone instances that are hidden from some player, and the arranged cards of such
// instances.
inline constexpr Int kMaxHidden = 64;
inline constexpr Int kMaxFrame = 0xffff;   // maximum size of a frame in bytes
inline constexpr Int kMaxWaits = 0xffff;   // maximum number of suspend points of a Program

// Special observers. The first knows everything, the second knows only what all players know.
inline constexpr Int kKnowsAll = -1, kKnowsCommon = -2;

// `row`: a pile in which the order of all cards is visible.
enum class ZoneShape : std::uint8_t { set, pile, row, slot };

// A variable: `count` values of `bytes` bytes each at `offset`. The stored value is value - lo + bias; a bias of 2
// reserves 0 for unset and 1 for none if either is possible. A set variable has `words` words per value and can't be
// unset.
struct VariableSlot {
  Int offset = 0;
  Int bytes = 1;   // 1, 2, 4 or 8
  Int count = 1;
  Int lo = 0, hi = 0;   // a store outside this range traps; for a set: the possible elements
  Int bias = 0;   // 0 or 2
  Int optional = 0;   // 1 if the variable can be none
  Int is_set = 0;
  Int initial = 0;   // value of each instance at the start and after `clear`; can be kNone or kUnset
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
  Int shape = 0;   // a ZoneShape
  Int visible = 0;   // mask of the players who see its cards (a face-down pile: no player)
  Int refill = -1;   // instance that is shuffled and put under this pile when it is empty, or -1
  Int ordered = 0;   // true if its order is kept
  Int ends = 0;   // offset of the ids of its topmost and bottommost fixed cards, see below
  // For an ordered zone whose cards can be face up or face down: the instance with the cards of the other side, or -1.
  Int other_side = -1;
  Int hidden_bit = -1;   // index among the hidden places, or -1
  Int arranged_bit = -1;   // index of the hidden place formed by its arranged cards; -1: not tracked
  Int stamped = 0;   // true if the entry time of a card is stored in Layout::stamps
  Int asked = 1;   // true if a playout tracks knowledge of the cards here, because rules query it (passes/asked_zones)
};
// A pile consists of fixed top cards, the bag (undefined order, drawn when a card leaves), and fixed bottom cards.
// Since a card is in at most one pile, all piles share two arrays: `loose`, the set of cards in bags, and `next`, the
// neighbor of each card in a fixed part: the card below it in the top part, or the card above it in the bottom part.
// `ends` stores the topmost card of the top part and the bottommost card of the bottom part. A neighbor is stored as
// its id + 1, and a missing neighbor as 0, so that equal piles have equal bytes. If cards can be face down in an
// ordered zone, its two instances are one pile: they share `ends` and a bag, and only the member sets show which side
// is up.

struct Layout {
  Int words = 1;   // words per set of cards or cells
  Int players = 0;
  Int card_ids = 0;   // ids used by cards or reserved as guards; < 64 * words
  Int card_bytes = 1;   // bytes per card id in `next`
  Int capacity = 0;   // total number of cards
  Int instances = 0;
  Int variables = 0;
  Int ordered_from = 0, ordered_end = kMaxInstances;   // range of instances that contains all ordered ones
  Int ordered_all = 0;   // 1: all instances in the range are ordered
  // 0 in a playout if no rule uses the bottom of a pile.
  Int has_bottoms = 1;

  // Offsets of the regions, ascending. [0, rules_end) is the rules state, which is hashed.
  Int in_game = 0;   // 2 bytes: mask of the players in the game
  Int over = 0;   // 1 byte: 1 if the game is over
  Int winners = 0;   // 2 bytes: mask of the winners
  Int members = 0;   // a card set per zone instance: its cards
  Int loose = 0;   // a card set: the cards in bags, whose order is not determined yet
  Int next = 0;   // card_bytes per card id: its neighbor in a pile
  Int rules_end = 0;
  // `stamps`: 4 bytes per card id, the time at which the card entered a zone that records entry times. `stamp_clock`:
  // the clock, which counts entries. Both are offsets of variables, or -1 if no value uses `latest modifier first`.
  Int stamps = -1, stamp_clock = -1;
  // Variables outside the rules state: window fields, recursion counters, limits per window.
  Int scratch = 0;
  // Ring buffer of `afterwards`: 1 byte for the head, 1 byte for the length, then entries of queue_entry bytes
  // (ops/queue.h).
  Int queue = 0;
  Int queue_entry = 0;
  Int queue_ints = 0, queue_sets = 0, queue_length = 0;
  Int queue_bytes = 8;   // bytes of an int argument; a narrow one represents none by its least value
  // Random streams (ops/random.h): 8 bytes for chance, then 8 per player for policies. With races, also 8 bytes per
  // player for latency, and 16 for the next draw.
  Int streams = 0;
  Int races = 0;   // 1: some window runs in real time
  Int decisions = 0;   // 4 bytes: number of decisions so far
  Int ended_by = 0;   // 2 bytes: 1 + index of Program::endings; 0 before the end and after a trap
  Int unknown = 0;   // per player a card set: the cards unknown to the player (ops/knowledge.h)
  // 2 bytes per instance of a secret variable, in order of the variables: mask of the players who know it.
  Int knows_variable = 0;
  // End of the bytes that a playout needs. They include `unknown` and `knows_variable` if a rule queries knowledge.
  Int live_end = 0;
  Int stack_top = 0;   // 4 bytes: offset of the top frame (0 = none)
  Int frames = 0;   // suspended functions (ops/frames.h)
  Int frames_end = 0;
  Int where = 0;   // where_planes card sets: the bit planes of each card's number (runtime/knowledge/knowledge.h)
  Int where_planes = 0;
  // For each number and player, where_bytes: mask of the hidden places in which a card with that number may be, if the
  // player does not know it.
  Int places = 0;
  Int where_bytes = 8;
  // A card set, present if some pile has an arranged_bit: the cards that were arranged and have not moved since.
  Int arranged = 0;
  Int size = 0;   // size of the State in bytes

  Int hidden = 0;   // number of hidden places
  Int hidden_instance[kMaxHidden] = {};
  Word lookalike_guards[kMaxWords] = {};   // the unused id above each class of several look-alikes
  Word lookalike_starts[kMaxWords] = {};   // the lowest id of each class
  Word lookalike_singles[kMaxWords] = {};   // the card of each class that has only one
  Word all_cards[kMaxWords] = {};   // ids that are cards (not guards)
  ZoneInstance instance[kMaxInstances];
};

}   // namespace cardwright
