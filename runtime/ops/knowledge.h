// Who knows what, and what the log is told. The work is out of line (runtime/knowledge.cpp): a playout has none of it.
#pragma once

#include "runtime/ops/zones.h"
#include "runtime/sinks.h"

namespace cardwright {

inline bool is_listened_to(const Game& g) { return g.knowledge != 0 || g.log != nullptr; }

inline void op_note_move(Game& g, Byte* s, const Layout& l, const Word* cards, Int from, Int to, Int how) {
  if (is_listened_to(g)) cardwright_note_move(&g, s, &l, cards, from, to, how);
}
inline void op_note_draw(Game& g, Byte* s, const Layout& l, Int card, Int from, Int to) {
  if (!is_listened_to(g) || card == kNone) return;
  Word cards[kMaxWords];
  op_set_of(g, s, l, card, cards);
  cardwright_note_move(&g, s, &l, cards, from, to, 2);
}
inline void op_note_reveal(Game& g, Byte* s, const Layout& l, const Word* cards) {
  if (is_listened_to(g)) cardwright_note_reveal(&g, s, &l, cards);
}
inline void op_note_peek(Game& g, Byte* s, const Layout& l, Int player, const Word* cards) {
  if (is_listened_to(g)) cardwright_note_peek(&g, s, &l, player, cards);
}
inline void op_note_turn(Game& g, Byte* s, const Layout& l, const Word* cards, Int faceup) {
  if (is_listened_to(g)) cardwright_note_turn(&g, s, &l, cards, faceup);
}
inline void op_note_variable(Game& g, Byte* s, const Layout& l, const VariableSlot& v, Int index) {
  if (is_listened_to(g)) cardwright_note_variable(&g, s, &l, v.offset, index, 1);
}
inline void op_note_dealt(Game& g, Byte* s, const Layout& l, const VariableSlot& v, Int index) {
  if (is_listened_to(g)) cardwright_note_variable(&g, s, &l, v.offset, index, 0);
}
inline void op_note_change(Game& g, Byte* s, const Layout&, const VariableSlot& v, Int index, Int old_value, Int new_value) {
  if (g.log != nullptr) cardwright_note_change(&g, s, v.offset, index, old_value, new_value);
}
inline void op_note_event(Game& g, Byte* s, const Layout&, Int text, Int a, Int b, Int c) {
  if (g.log != nullptr) cardwright_note_event(&g, s, text, a, b, c);
}

inline Word knows_mask(const Byte* s, const Layout& l, Int card) { return read<std::uint16_t>(s + l.knows + 2 * card); }

inline Int op_knows_card(Game&, Byte* s, const Layout& l, Int player, Int card) {
  if (!is_card(l, card) || static_cast<Word>(player) >= static_cast<Word>(l.players)) return 0;
  return static_cast<Int>(knows_mask(s, l, card) >> player & 1);
}
inline Int op_knows_cards(Game& g, Byte* s, const Layout& l, Int player, const Word* cards) {
  for (Int w = 0; w < l.words; ++w)
    for (Word rest = cards[w]; rest != 0; rest &= rest - 1)
      if (!op_knows_card(g, s, l, player, 64 * w + lowest_bit(rest))) return 0;
  return 1;
}
inline void op_set_known(Game& g, Byte* s, const Layout& l, Int player, const Word* cards, Word* out) {
  for (Int w = 0; w < l.words; ++w) {
    Word known = 0;
    for (Word rest = cards[w]; rest != 0; rest &= rest - 1)
      if (op_knows_card(g, s, l, player, 64 * w + lowest_bit(rest))) known |= rest & (Word{0} - rest);
    out[w] = known;
  }
}
inline Int op_knows_top(Game& g, Byte* s, const Layout& l, Int player, Int pile) {
  return op_knows_card(g, s, l, player, op_zone_unchanged_top(g, s, l, pile));
}
inline Int op_knows_value(Game& g, Byte* s, const Layout& l, Int player, const VariableSlot& v, Int index) {
  return cardwright_knows_value(&g, s, &l, player, v.offset, index);
}

}  // namespace cardwright
