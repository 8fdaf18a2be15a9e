// Implements the operations for fuel, recursion limits, failed checks, `suppose` and the end of the game.
#pragma once

#include "runtime/ops/memory.h"
#include "runtime/ops/wrong.h"

namespace cardwright {

inline Trap op_fuel(Game& g, Byte*, const Layout&, Int steps) {
  Word left = 0;
  const bool none_left = __builtin_sub_overflow(static_cast<Word>(g.fuel), static_cast<Word>(steps), &left);
  g.fuel = static_cast<Int>(left);
  return CARDWRIGHT_UNLIKELY(none_left) ? wrong(g, Trap::too_long, About::steps, g.fuel_per_decision) : Trap::none;
}
inline Trap op_enter(Game& g, Byte* s, const Layout&, const VariableSlot& v, Int limit) {
  const Word depth = read_bytes(s + v.offset, v.bytes) + 1;
  if (CARDWRIGHT_UNLIKELY(depth > static_cast<Word>(limit))) return wrong(g, Trap::too_deep, About::depth, limit);
  write_bytes(s + v.offset, v.bytes, depth);
  return Trap::none;
}
inline void op_leave(Game&, Byte* s, const Layout&, const VariableSlot& v) {
  write_bytes(s + v.offset, v.bytes, read_bytes(s + v.offset, v.bytes) - 1);
}
// Reports an error found by a check that the compiler generated. A `trap` instruction follows.
inline Trap op_fail(Game& g, Byte*, const Layout&, Int trap, Int about, Int a, Int b) {
  return wrong(g, static_cast<Trap>(trap), static_cast<About>(about), a, b);
}
inline void op_suppose(Game& g, Byte* s, const Layout& l) { cardwright_suppose(&g, s, &l); }
inline void op_suppose_with_log(Game& g, Byte*, const Layout&) { g.log = g.log_before; }
inline void op_unsuppose(Game& g, Byte* s, const Layout& l) { cardwright_unsuppose(&g, s, &l); }
inline void op_finish(Game&, Byte* s, const Layout& l, Int winners, Int ending) {
  s[l.over] = 1;
  write(s + l.ended_by, static_cast<std::uint16_t>(ending + 1));
  write(s + l.winners, static_cast<std::uint16_t>(winners));
}

}   // namespace cardwright
