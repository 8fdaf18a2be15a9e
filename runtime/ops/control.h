// Limits of work and nesting, and the end of the game.
#pragma once

#include "runtime/ops/memory.h"
#include "runtime/sinks.h"

namespace cardwright {

inline Trap op_fuel(Game& g, Byte*, const Layout&, Int steps) {
  Word left = 0;
  const bool none_left = __builtin_sub_overflow(static_cast<Word>(g.fuel), static_cast<Word>(steps), &left);
  g.fuel = static_cast<Int>(left);
  return CARDWRIGHT_UNLIKELY(none_left) ? Trap::too_long : Trap::none;
}
inline Trap op_enter(Game&, Byte* s, const Layout&, const VariableSlot& v, Int limit) {
  const Word depth = read_bytes(s + v.offset, v.bytes) + 1;
  if (CARDWRIGHT_UNLIKELY(depth > static_cast<Word>(limit))) return Trap::too_deep;
  write_bytes(s + v.offset, v.bytes, depth);
  return Trap::none;
}
inline void op_leave(Game&, Byte* s, const Layout&, const VariableSlot& v) {
  write_bytes(s + v.offset, v.bytes, read_bytes(s + v.offset, v.bytes) - 1);
}
inline void op_suppose(Game& g, Byte* s, const Layout& l) { cardwright_suppose(&g, s, &l); }
inline void op_unsuppose(Game& g, Byte* s, const Layout& l) { cardwright_unsuppose(&g, s, &l); }
inline void op_finish(Game&, Byte* s, const Layout& l, Int winners, Int ending) {
  s[l.over] = 1;
  write(s + l.ended_by, static_cast<std::uint16_t>(ending + 1));
  write(s + l.winners, static_cast<std::uint16_t>(winners));
}

}  // namespace cardwright
