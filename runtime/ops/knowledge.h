// Implements the operations on the players' knowledge and the log. Most of them call out-of-line functions
// (runtime/ops/sinks.h), which playouts skip.
#pragma once

#include "runtime/ops/sinks.h"
#include "runtime/ops/zones.h"

namespace cardwright {

inline bool is_listened_to(const Game& g) { return g.knowledge != kNoKnowledge || g.log != nullptr; }

#ifdef CARDWRIGHT_BITCODE   // the JIT replaces this function with a constant
extern "C" [[gnu::noinline]] inline Int cardwright_keeps_unknown_only(const Game& g) {
  return g.knowledge == kUnknownOnly;
}
inline bool keeps_unknown_only(const Game& g) { return cardwright_keeps_unknown_only(g) != 0; }
#else
inline bool keeps_unknown_only(const Game& g) { return g.knowledge == kUnknownOnly; }
#endif

inline Byte* unknown_at(Byte* s, const Layout& l, Int player) { return s + l.unknown + 8 * l.words * player; }
inline const Byte* unknown_at(const Byte* s, const Layout& l, Int player) {
  return s + l.unknown + 8 * l.words * player;
}

// The properties of a move out of one zone that knowledge tracking needs, computed before the move.
struct Move {
  const Word* cards;
  Int count, from, to;
  bool from_top;
  bool many_on_pile;   // true if several cards are put on an ordered pile in a hidden order
  bool by_choice;   // true if the cards are neither drawn nor random, so that any copy of a named card may be meant
};
inline Move move_out_of(const Byte* s, const Layout& l, const Word* cards, Int from, Int to, Int how) {
  // A zone without an order has no top: a drawn card may be any of its cards.
  const bool ordered = l.instance[from].ordered != 0;
  Move move{cards, count_set(l, cards), from, to, (how & 2) != 0 && ordered, false, (how & 3) == 0 && !ordered};
  // If a player chooses the top card by name, all players see that it is the top card.
  if (ordered && !move.from_top && move.count == 1 && (how & 1) == 0)
    if (const Int top = fixed_top(s, l, l.instance[from]); top >= 0 && has_bit(cards, top)) move.from_top = true;
  // Several cards put on an ordered pile that no player can see are in a hidden order.
  move.many_on_pile = move.count > 1 && l.instance[to].ordered && l.instance[to].visible == 0;
  return move;
}

inline bool takes_all(const Byte* s, const Layout& l, const Move& move) {
  Word stays = 0;
  for (Int w = 0; w < l.words; ++w) stays |= read<Word>(members_at(s, l, move.from) + 8 * w) & ~move.cards[w];
  return stays == 0;
}

// Returns false if no rule queries knowledge of this instance's cards, so that kUnknownOnly does not track them.
inline bool is_asked(const Layout& l, Int instance) { return l.instance[instance].asked != 0; }

// Records a move for kUnknownOnly. Determines which cards stay known by the same rules as
// runtime/knowledge/knowledge.cpp, but does not track possible places.
[[gnu::noinline]] inline void note_asked_move(Game& g, Byte* s, const Layout& l, const Word* cards, Int from, Int to,
                                              Int how) {
  const Move move = move_out_of(s, l, cards, from, to, how);
  const Word all = (Word{1} << l.players) - 1,
             seers = static_cast<Word>(l.instance[to].visible | l.instance[from].visible) & all;
  const Word mixes = move.many_on_pile ? ~Word{0} : 0;
  for (Word left = seers; left != 0; left &= left - 1) {
    const Int p = lowest_bit(left);
    // `strange` is not 0 if some moved cards are unknown to the player; `familiar`, if some remaining cards are known.
    Word strange = 0, familiar = 0;
    for (Int w = 0; w < l.words; ++w) strange |= read<Word>(unknown_at(s, l, p) + 8 * w) & cards[w];
    if ((strange | mixes) == 0) continue;
    for (Int w = 0; w < l.words; ++w)
      familiar |= read<Word>(members_at(s, l, from) + 8 * w) & ~cards[w] & ~read<Word>(unknown_at(s, l, p) + 8 * w);
    if (move.by_choice && strange != 0 && familiar != 0) cardwright_exchange_unknown(&g, s, &l, p, cards, from);
    for (Int w = 0; w < l.words; ++w) {
      const Word hidden = read<Word>(unknown_at(s, l, p) + 8 * w);
      write(unknown_at(s, l, p) + 8 * w, (hidden & ~cards[w]) | (cards[w] & mixes));
    }
  }
  const Word others = all & ~seers;
  if (others == 0 || from == to) return;
  const bool is_followed = move.from_top || takes_all(s, l, move);   // if false, any card of the zone may have moved
  const Word stirs = is_followed ? 0 : ~Word{0}, mixes_unknown = is_followed ? mixes : 0;
  if ((stirs | mixes_unknown) == 0) return;
  for (Word left = others; left != 0; left &= left - 1)
    for (Int p = lowest_bit(left), w = 0; w < l.words; ++w) {
      const Word unknown = (read<Word>(members_at(s, l, from) + 8 * w) & stirs) | (cards[w] & mixes_unknown);
      write(unknown_at(s, l, p) + 8 * w, read<Word>(unknown_at(s, l, p) + 8 * w) | unknown);
    }
}

inline void note_unknown_move(Game& g, Byte* s, const Layout& l, const Word* cards, Int from, Int to, Int how) {
  if (is_asked(l, from) || is_asked(l, to)) note_asked_move(g, s, l, cards, from, to, how);
}

inline void op_note_move(Game& g, Byte* s, const Layout& l, const Word* cards, Int from, Int to, Int how) {
  if (!is_listened_to(g)) return;
  if (keeps_unknown_only(g) && is_instance(l, from) && is_instance(l, to)) {
    Word here = 0, all = 0;
    for (Int w = 0; w < l.words; ++w) {
      all |= cards[w];
      here |= cards[w] & ~read<Word>(members_at(s, l, from) + 8 * w);
    }
    if (all == 0) return;
    if (here == 0) return note_unknown_move(g, s, l, cards, from, to, how);
  }
  cardwright_note_move(&g, s, &l, cards, from, to, how);   // for moves out of several zones
}
inline void op_note_draw(Game& g, Byte* s, const Layout& l, Int card, Int from, Int to) {
  if (!is_listened_to(g) || card == kNone) return;
  // Players who see either zone now know the card.
  if (keeps_unknown_only(g) && is_instance(l, from) && is_instance(l, to) && keeps_order(l, from)) {
    if (!is_asked(l, to)) return;
    const Word all = (Word{1} << l.players) - 1,
               seers = static_cast<Word>(l.instance[to].visible | l.instance[from].visible) & all;
    for (Word left = seers; left != 0; left &= left - 1)
      remove_from_stored(unknown_at(s, l, lowest_bit(left)), l, card);
    return;
  }
  Word cards[kMaxWords];
  op_set_of(g, s, l, card, cards);
  op_note_move(g, s, l, cards, from, to, 2);
}
inline void op_note_reveal(Game& g, Byte* s, const Layout& l, const Word* cards) {
  if (is_listened_to(g)) cardwright_note_reveal(&g, s, &l, cards);
}
inline void op_note_arrange(Game& g, Byte* s, const Layout& l, const Word* cards, Int pile, Int who, Int behind) {
  if (is_listened_to(g)) cardwright_note_arrange(&g, s, &l, cards, pile, who, behind);
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
inline void op_note_shown(Game& g, Byte* s, const Layout& l, Int player, const VariableSlot& v, Int index) {
  if (is_listened_to(g)) cardwright_note_shown(&g, s, &l, player, v.offset, index);
}
inline void op_note_dealt(Game& g, Byte* s, const Layout& l, const VariableSlot& v, Int index) {
  if (is_listened_to(g)) cardwright_note_variable(&g, s, &l, v.offset, index, 0);
}
inline void op_note_faces(Game& g, Byte* s, const Layout& l, const VariableSlot& v, Int dice, Int turned) {
  if (is_listened_to(g)) cardwright_note_faces(&g, s, &l, v.offset, dice, turned);
}
inline void op_note_change(Game& g, Byte* s, const Layout&, const VariableSlot& v, Int index, Int old_value,
                           Int new_value) {
  if (g.log != nullptr) cardwright_note_change(&g, s, v.offset, index, old_value, new_value);
}
inline void op_log_value(Game& g, Byte* s, const Layout&, Int value) {
  if (g.log != nullptr) cardwright_log_value(&g, s, value);
}
inline void op_log_set(Game& g, Byte* s, const Layout&, const Word* set) {
  if (g.log != nullptr) cardwright_log_set(&g, s, set);
}
inline void op_log_readers(Game& g, Byte* s, const Layout&, Int players) {
  if (g.log != nullptr) cardwright_log_readers(&g, s, players);
}
inline Int op_listened(Game& g, Byte*, const Layout&) { return g.log != nullptr; }
inline void op_log_asked(Game& g, Byte* s, const Layout&, Int player) {
  if (g.log != nullptr) cardwright_log_asked(&g, s, player);
}
inline void op_log_part(Game& g, Byte* s, const Layout&, Int text) {
  if (g.log != nullptr) cardwright_log_part(&g, s, text);
}
inline void op_log_text(Game& g, Byte* s, const Layout&, Int text) {
  if (g.log != nullptr) cardwright_log_text(&g, s, text);
}
inline void op_explain(Game& g, Byte* s, const Layout&, Int node) {
  if (g.log != nullptr) cardwright_explain(&g, s, node);
}

// Assigns offsets to the remaining regions of the knowledge, starting at `at`, and returns the end. The number of card
// numbers (runtime/knowledge/knowledge.h) is the number of different sets of possible places that can exist at a time,
// but at most 8 if there are few hidden places, and otherwise at most 16.
inline constexpr Int kMaxPlanes = 4;
inline Int lay_out_knowledge(Layout& l, Int at) {
  Int different = 1;
  for (Int p = 0; p < l.players; ++p) {
    Int sets = 1;   // number of sets of places hidden from this player
    for (Int bit = 0; bit < l.hidden && sets <= l.capacity; ++bit)
      if ((l.instance[l.hidden_instance[bit]].visible >> p & 1) == 0) sets *= 2;
    if (different <= l.capacity && sets > 2) different *= sets - 1;
  }
  if (different > l.capacity) different = l.capacity;
  const Int most = l.hidden + 2 <= 1 << (kMaxPlanes - 1) ? kMaxPlanes - 1 : kMaxPlanes;
  l.where_planes = 0;
  while (l.where_planes < most && Int{1} << l.where_planes < different) ++l.where_planes;
  l.where_bytes = l.hidden <= 8 ? 1 : l.hidden <= 16 ? 2 : l.hidden <= 32 ? 4 : 8;
  l.where = at;
  l.places = l.where + 8 * l.words * l.where_planes;
  l.arranged = (l.places + l.where_bytes * l.players * (Int{1} << l.where_planes) + 7) / 8 * 8;
  bool any_arranged = false;
  for (Int i = 0; i < l.instances; ++i) any_arranged |= l.instance[i].arranged_bit >= 0;
  return l.arranged + (any_arranged ? 8 * l.words : 0);
}

inline Int op_knows_cards(Game&, Byte* s, const Layout& l, Int player, const Word* cards) {
  if (!any_in_set(l, cards)) return 1;
  if (static_cast<Word>(player) >= static_cast<Word>(l.players)) return 0;
  Word seen = 0;
  for (Int w = 0; w < l.words; ++w) seen |= read<Word>(unknown_at(s, l, player) + 8 * w) & cards[w];
  return seen == 0;
}
inline Int op_knows_card(Game&, Byte* s, const Layout& l, Int player, Int card) {
  return is_card(l, card) && static_cast<Word>(player) < static_cast<Word>(l.players) &&
         !stored_has(unknown_at(s, l, player), l, card);
}
inline void op_set_known(Game&, Byte* s, const Layout& l, Int player, const Word* cards, Word* out) {
  const bool is_player = static_cast<Word>(player) < static_cast<Word>(l.players);
  for (Int w = 0; w < l.words; ++w) out[w] = is_player ? cards[w] & ~read<Word>(unknown_at(s, l, player) + 8 * w) : 0;
}
// An undrawn top card could be any card of the bag, so the player must know all of them.
inline Int op_knows_top(Game& g, Byte* s, const Layout& l, Int player, Int pile) {
  const Int top = op_zone_unchanged_top(g, s, l, pile);
  if (top != kNone || !is_instance(l, pile)) return op_knows_card(g, s, l, player, top);
  Word bag[kMaxWords];
  read_bag(s, l, pile, bag);
  return any_in_set(l, bag) && op_knows_cards(g, s, l, player, bag);
}
inline bool all_see(const Layout& l, Int instance) {
  const Int everybody = (Int{1} << l.players) - 1;
  return (l.instance[instance].visible & everybody) == everybody;
}
// The face-up cards of a pile are public, so no knowledge of them is stored.
inline Int op_tops_unknown(Game&, Byte* s, const Layout& l, const ZoneSlot& up, const ZoneSlot& down, Int player,
                           Int piles) {
  const bool is_player = static_cast<Word>(player) < static_cast<Word>(l.players);
  Word mask = 0;
  for (Word left = static_cast<Word>(piles) & ((Word{1} << up.owners * up.copies) - 1); left != 0; left &= left - 1) {
    const Int i = lowest_bit(left), shown = fixed_top(s, l, l.instance[up.first + i]);
    if (shown >= 0 && all_see(l, up.first + i)) continue;
    const Int top = shown >= 0 ? shown : fixed_top(s, l, l.instance[down.first + i]);
    if (top >= 0 && (!is_player || stored_has(unknown_at(s, l, player), l, top))) mask |= Word{1} << i;
  }
  return static_cast<Int>(mask);
}
inline Int op_knows_value(Game& g, Byte* s, const Layout& l, Int player, const VariableSlot& v, Int index) {
  return cardwright_knows_value(&g, s, &l, player, v.offset, index);
}

}   // namespace cardwright
