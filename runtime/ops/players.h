// Implements operations on the players in the game and on the turn order.
#pragma once

#include "runtime/ops/masks.h"

namespace cardwright {

inline Int players_mask(const Byte* s, const Layout& l) { return read<std::uint16_t>(s + l.in_game); }
inline bool is_seat(const Layout& l, Int p) { return static_cast<Word>(p) < static_cast<Word>(l.players); }

inline Int op_players_in(Game&, Byte* s, const Layout& l) { return players_mask(s, l); }
inline void op_eliminate(Game& g, Byte* s, const Layout& l, Int p) {
  if (CARDWRIGHT_UNLIKELY(!is_seat(l, p))) return;   // the value none has no effect
  write(s + l.in_game, static_cast<std::uint16_t>(players_mask(s, l) & ~op_mask_of(g, s, l, p)));
}
// Counts the steps from a to b as if both were in the game; players between them count only if they are in the game.
inline Trap op_steps(Game&, Byte* s, const Layout& l, Int a, Int b, Int& out) {
  if (CARDWRIGHT_UNLIKELY(!is_seat(l, a) || !is_seat(l, b))) return Trap::unexpected_none;
  const Word in = static_cast<Word>(players_mask(s, l));
  const Int ahead = b - a, seats = ahead < 0 ? ahead + l.players : ahead;
  const Word from_next = (in | in << l.players) >> a >> 1, between = ((Word{1} << seats) - 1) >> 1;
  out = count_bits(from_next & between) + (a != b ? 1 : 0);
  return Trap::none;
}
inline Int op_next_in(Game& g, Byte* s, const Layout& l, Int p) {
  return op_mask_next(g, s, l, players_mask(s, l), is_seat(l, p) ? p + 1 : 0);
}
inline Int op_previous_in(Game& g, Byte* s, const Layout& l, Int p) {
  return op_mask_previous(g, s, l, players_mask(s, l), p <= 0 ? 63 : p - 1);
}

}   // namespace cardwright
