// Implements lanes: numbers from 0 to 127 for up to eight players, each stored in one byte of an int. Lane p belongs to
// player p. The high bit of each lane is free, so that lanes can be compared and subtracted without a borrow (SIMD
// within a register; Lamport, "Multiple byte processing with full-word instructions", 1975).
#pragma once

#include "runtime/ops/players.h"
#include "runtime/ops/zones.h"

namespace cardwright {

constexpr Int kMostLanes = 8, kMostInLane = 127;

inline Int op_lanes_of(Game&, Byte*, const Layout&, Int mask) {
  return static_cast<Int>(spread_bits(static_cast<Word>(mask)));
}
inline Int op_lanes_at_most(Game&, Byte*, const Layout&, Int lanes, Int limit) {
  const Int most = limit < -1 ? -1 : limit > kMostInLane ? kMostInLane : limit;
  return static_cast<Int>(gather_high_bits(static_cast<Word>(most + 128) * kEachByte - static_cast<Word>(lanes)));
}
inline Int least_of_lanes(Int a, Int b) {
  const Word x = static_cast<Word>(a), y = static_cast<Word>(b);
  const Word first = (((y | kHighBits) - x) & kHighBits) >> 7;   // 1 where a <= b
  const Word of_first = first * 0xff;
  return static_cast<Int>((x & of_first) | (y & ~of_first));
}
inline Int op_lanes_min(Game&, Byte*, const Layout&, Int a, Int b) { return least_of_lanes(a, b); }
// Counts the cards in each player's (only) instance of the zone; 0 for eliminated players.
inline Int op_lanes_cards(Game&, Byte* s, const Layout& l, const ZoneSlot& z, const Word* cards) {
  Word lanes = 0;
  for (Int owner = 0; owner < z.owners; ++owner) {
    Int count = 0;
    for (Int w = 0; w < l.words; ++w)
      count += count_bits(read<Word>(members_at(s, l, z.first + owner) + 8 * w) & cards[w]);
    lanes |= static_cast<Word>(count) << 8 * owner;
  }
  return static_cast<Int>(lanes & spread_bits(static_cast<Word>(players_mask(s, l))) * 0xff);
}

}   // namespace cardwright
