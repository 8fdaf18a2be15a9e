// Implements masks: sets of players, constants or small ints in one int.
#pragma once

#include "runtime/ops/bits.h"
#include "runtime/ops/random.h"
#include "runtime/ops/wrong.h"

namespace cardwright {

inline Int op_mask_of(Game&, Byte*, const Layout&, Int i) {
  return static_cast<Word>(i) < 64 ? static_cast<Int>(Word{1} << i) : 0;
}
inline Trap op_mask_in_range(Game& g, Byte*, const Layout&, Int mask, Int least, Int most, Int text, Int& out) {
  const Word from_least = least <= 0 ? ~Word{0} : least < 64 ? ~Word{0} << least : 0;
  const Word to_most = most < 0 ? 0 : most < 63 ? (Word{2} << most) - 1 : ~Word{0};
  const Word outside = static_cast<Word>(mask) & ~(from_least & to_most);
  out = mask;
  if (CARDWRIGHT_LIKELY(outside == 0)) return Trap::none;
  return wrong(g, Trap::out_of_range, About::declared, text, lowest_bit(outside));
}
inline Int op_mask_has(Game&, Byte*, const Layout&, Int mask, Int i) {
  return static_cast<Word>(i) < 64 ? static_cast<Int>(static_cast<Word>(mask) >> i & 1) : 0;
}
inline Int op_mask_or(Game&, Byte*, const Layout&, Int a, Int b) { return a | b; }
inline Int op_mask_and(Game&, Byte*, const Layout&, Int a, Int b) { return a & b; }
inline Int op_mask_without(Game&, Byte*, const Layout&, Int a, Int b) { return a & ~b; }
inline Int op_mask_below(Game&, Byte*, const Layout&, Int i) {
  return i <= 0 ? 0 : i < 64 ? static_cast<Int>((Word{1} << i) - 1) : static_cast<Int>(~Word{0});
}
inline Int op_mask_shift(Game&, Byte*, const Layout&, Int mask, Int by) {
  const Word bits = static_cast<Word>(mask);
  return by >= 64 || by <= -64 ? 0 : static_cast<Int>(by >= 0 ? bits << by : bits >> -by);
}
inline Int op_mask_every(Game&, Byte*, const Layout&, Int mask, Int first, Int stride, Int count) {
  Word which = 0;
  for (Int i = 0; i < count && i * stride < 64; ++i) which |= Word{1} << i * stride;
  return static_cast<Word>(first) < 64 ? static_cast<Int>(gather_bits(static_cast<Word>(mask) >> first, which)) : 0;
}
inline Int op_mask_count(Game&, Byte*, const Layout&, Int mask) { return count_bits(static_cast<Word>(mask)); }
inline Int op_mask_first(Game&, Byte*, const Layout&, Int mask) {
  return mask != 0 ? lowest_bit(static_cast<Word>(mask)) : kNone;
}
inline Int op_mask_last(Game&, Byte*, const Layout&, Int mask) {
  return mask != 0 ? highest_bit(static_cast<Word>(mask)) : kNone;
}
inline Int op_mask_nth(Game&, Byte*, const Layout&, Int mask, Int k) {
  if (static_cast<Word>(k) >= static_cast<Word>(count_bits(static_cast<Word>(mask)))) return kNone;
  return select_bit(static_cast<Word>(mask), k);
}

inline Int op_mask_next(Game& g, Byte* s, const Layout& l, Int mask, Int start) {
  const Word from_start = start < 0    ? static_cast<Word>(mask)
                          : start < 64 ? static_cast<Word>(mask) >> start << start
                                       : 0;
  return op_mask_first(g, s, l, from_start != 0 ? static_cast<Int>(from_start) : mask);
}
inline Int op_mask_previous(Game& g, Byte* s, const Layout& l, Int mask, Int start) {
  const Word to_start = start < 0    ? 0
                        : start < 63 ? static_cast<Word>(mask) & ((Word{2} << start) - 1)
                                     : static_cast<Word>(mask);
  return op_mask_last(g, s, l, to_start != 0 ? static_cast<Int>(to_start) : mask);
}
inline Int op_mask_beyond(Game&, Byte*, const Layout&, Int mask, Int start, Int seat) {
  if (CARDWRIGHT_UNLIKELY(static_cast<Word>(seat) >= 64)) return 0;
  const Word before_start = start <= 0 ? 0 : start < 64 ? (Word{1} << start) - 1 : ~Word{0};
  const Word after_seat = ~Word{1} << seat;
  const Word way = seat >= start ? after_seat | before_start : after_seat & before_start;
  return static_cast<Int>(static_cast<Word>(mask) & way);
}
inline Int op_mask_random(Game&, Byte* s, const Layout& l, Int mask) {
  if (mask == 0) return kNone;
  return select_bit(static_cast<Word>(mask), draw_below(chance_stream(s, l), count_bits(static_cast<Word>(mask))));
}

}   // namespace cardwright
