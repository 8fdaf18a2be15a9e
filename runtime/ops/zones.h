// Implements zones: the numbering of instances, their cards, and moves between them.
#pragma once

#include <initializer_list>

#include "runtime/ops/tops.h"

namespace cardwright {

inline Trap op_zone_index(Game& g, Byte*, const Layout&, const ZoneSlot& zone, Int owner, Int copy, Int& out) {
  if (CARDWRIGHT_UNLIKELY(owner == kNone || copy == kNone))
    return wrong(g, Trap::unexpected_none, About::owner, zone.first, owner, copy);
  if (CARDWRIGHT_UNLIKELY(static_cast<Word>(owner) >= static_cast<Word>(zone.owners) ||
                          static_cast<Word>(copy) >= static_cast<Word>(zone.copies)))
    return wrong(g, Trap::bad_index, About::owner, zone.first, owner, copy);
  out = zone.first + owner * zone.copies + copy;
  return Trap::none;
}
inline Int op_zone_known(Game&, Byte*, const Layout&, const ZoneSlot& zone, Int owner, Int copy) {
  CARDWRIGHT_KNOWN(static_cast<Word>(owner) < static_cast<Word>(zone.owners) &&
                   static_cast<Word>(copy) < static_cast<Word>(zone.copies));
  return zone.first + owner * zone.copies + copy;
}
inline void op_zone_cards(Game& g, Byte* s, const Layout& l, Int i, Word* out) {
  if (CARDWRIGHT_UNLIKELY(!is_instance(l, i))) return op_set_empty(g, s, l, out);
  read_set(members_at(s, l, i), l, out);
}
inline Int op_zone_size(Game&, Byte* s, const Layout& l, Int i) {
  if (CARDWRIGHT_UNLIKELY(!is_instance(l, i))) return 0;
  Int n = 0;
  for (Int w = 0; w < l.words; ++w) n += count_bits(read<Word>(members_at(s, l, i) + 8 * w));
  return n;
}
inline Int op_owners_without(Game&, Byte* s, const Layout& l, const ZoneSlot& z) {
  Word mask = 0;
  for (Int owner = 0; owner < z.owners; ++owner) {
    Word all = 0;
    for (Int w = 0; w < l.words; ++w) all |= read<Word>(members_at(s, l, z.first + owner) + 8 * w);
    mask |= Word{all == 0} << owner;
  }
  return static_cast<Int>(mask);
}
inline Int op_zone_of(Game&, Byte* s, const Layout& l, Int card, Int guess) {
  return is_card(l, card) ? find_zone(s, l, card, guess) : kNone;
}

// ---- moves
inline Trap op_move_card(Game& g, Byte* s, const Layout& l, Int card, Int guess, Int to, Int bottom) {
  if (card == kNone) return Trap::none;
  if (CARDWRIGHT_UNLIKELY(!is_card(l, card))) return Trap::no_zone;
  if (CARDWRIGHT_UNLIKELY(!is_instance(l, to))) return Trap::bad_index;
  const Int from = find_zone(s, l, card, guess);
  if (CARDWRIGHT_UNLIKELY(from == kNone)) return wrong(g, Trap::no_zone, About::card, card);
  if (CARDWRIGHT_UNLIKELY((bottom & 2) != 0) && l.instance[to].other_side == from) {   // turn the card over in place
    remove_from_stored(members_at(s, l, from), l, card);
    add_to_stored(members_at(s, l, to), l, card);
    return Trap::none;
  }
  leave_zone(s, l, from, card);
  enter_zone(s, l, to, card, (bottom & 1) != 0);
  return Trap::none;
}
// Does the same as zone_top followed by move_card, without fixing the card's position in between.
inline Trap op_draw_card(Game& g, Byte* s, const Layout& l, Int pile, Int to, Int& out) {
  if (CARDWRIGHT_UNLIKELY(!is_instance(l, pile) || !is_instance(l, to) || pile == to || !l.instance[pile].ordered)) {
    out = op_zone_top(g, s, l, pile);
    return op_move_card(g, s, l, out, pile, to, 0);
  }
  const ZoneInstance& z = l.instance[pile];
  out = kNone;
  if (const Int top = fixed_top(s, l, z); top >= 0) {
    out = top;
    take_from_list(s, l, top_of(z), out);
  } else if (CARDWRIGHT_LIKELY(!bag_is_empty(s, l, pile)) || refill(g, s, l, pile)) {
    out = draw_from_bag(s, l, pile);
    leave_bag(s, l, pile, out);
  } else {
    return Trap::none;
  }
  remove_from_stored(members_at(s, l, pile), l, out);
  if (const Int other = z.other_side; CARDWRIGHT_UNLIKELY(other >= 0))
    remove_from_stored(members_at(s, l, other), l, out);
  enter_zone(s, l, to, out, false);
  return Trap::none;
}
// Removes the cards that are both in zone `from` and in `rest` from the zone and from `rest`.
inline void leave_with(Byte* s, const Layout& l, Int from, Word* rest) {
  Word group[kMaxWords];
  for (Int w = 0; w < l.words; ++w) {
    group[w] = rest[w] & read<Word>(members_at(s, l, from) + 8 * w);
    rest[w] &= ~group[w];
  }
  leave_together(s, l, from, group);
}
[[gnu::noinline]] inline Trap leave_wherever(Byte* s, const Layout& l, Word* rest) {
  for (Int w = 0; w < l.words; ++w)
    while (rest[w] != 0) {
      const Int from = find_zone(s, l, 64 * w + lowest_bit(rest[w]));
      if (CARDWRIGHT_UNLIKELY(from == kNone)) return Trap::no_zone;
      leave_with(s, l, from, rest);
    }
  return Trap::none;
}
// Removes the cards from their zones, which may differ.
inline Trap leave_wherever(Byte* s, const Layout& l, const Word* cards, Int guess) {
  Word rest[kMaxWords];
  copy_words(l, cards, rest);
  if (is_instance(l, guess)) leave_with(s, l, guess, rest);
  return CARDWRIGHT_LIKELY(!any_in_set(l, rest)) ? Trap::none : leave_wherever(s, l, rest);
}
inline Trap op_move_cards(Game&, Byte* s, const Layout& l, const Word* cards, Int guess, Int to, Int how) {
  if (CARDWRIGHT_UNLIKELY(!is_instance(l, to))) return Trap::bad_index;
  Word before = 0;
  for (Int w = 0; w < l.words; ++w) before |= members_word(s, l, to, w);
  if (const Trap trap = leave_wherever(s, l, cards, guess); trap != Trap::none) return trap;
  const ZoneInstance& z = l.instance[to];
  const bool in_random_order = z.visible == 0, bottom = (how & 1) != 0;
  // Cards moved to an empty zone form a bag, whose order is drawn later.
  if (!keeps_order(l, to) || (in_random_order && before == 0)) {
    enter_together(s, l, to, cards);
    return Trap::none;
  }
  Word rest[kMaxWords];
  copy_words(l, cards, rest);
  if (!in_random_order) {
    for (Int w = 0; w < l.words; ++w)
      for (Word left = rest[w]; left != 0; left &= left - 1) enter_zone(s, l, to, 64 * w + lowest_bit(left), bottom);
    return Trap::none;
  }
  for (Int left = count_set(l, rest); left > 0; --left) {
    const Int card = nth_in_set(l, rest, draw_below(chance_stream(s, l), left));
    clear_bit(rest, card);
    enter_zone(s, l, to, card, bottom);
  }
  return Trap::none;
}
// Moves a card to the k-th position among n cards, which have fixed positions at the top or at the bottom.
inline void op_arrange(Game&, Byte* s, const Layout& l, Int i, Int card, Int k, Int n, Int lowest) {
  if (CARDWRIGHT_UNLIKELY(!is_instance(l, i) || !is_card(l, card) || !l.instance[i].ordered)) return;
  const ZoneInstance& z = l.instance[i];
  Int at = top_of(z);
  if (lowest != 0) {
    const bool apart = fixed_bottom(s, l, z) >= 0;
    if (apart) at = bottom_of(l, z);
    k = apart ? n - 1 - k : list_length(s, l, fixed_top(s, l, z)) - n + k;
  }
  if (!leave_list(s, l, at, card)) return;
  for (Int there; k > 0 && (there = neighbor(s, l, at)) >= 0; --k) at = next_of(l, there);
  put_in_list(s, l, at, card);
}
inline void op_shuffle(Game& g, Byte* s, const Layout& l, Int pile) {
  if (CARDWRIGHT_UNLIKELY(!is_instance(l, pile))) return;
  if (CARDWRIGHT_UNLIKELY(g.knowledge != 0))
    for (const Int side : {pile, l.instance[pile].other_side})
      if (side >= 0) cardwright_note_shuffle(&g, s, &l, side);
  if (!l.instance[pile].ordered) return;
  clear_order(s, l, pile);
  for (Int w = 0; w < l.words; ++w)
    write(s + l.loose + 8 * w, read<Word>(s + l.loose + 8 * w) | members_word(s, l, pile, w));
}

inline Trap op_roll(Game& g, Byte* s, const Layout& l, Int lo, Int hi, Int& out) {
  if (CARDWRIGHT_UNLIKELY(lo == kNone || hi == kNone)) return none_among(g, lo, hi);
  if (CARDWRIGHT_UNLIKELY(hi < lo)) return wrong(g, Trap::out_of_range, About::range, lo, hi);
  Int n;
  if (__builtin_sub_overflow(hi, lo, &n) || n == std::numeric_limits<Int>::max()) return Trap::overflow;
  out = lo + draw_below(chance_stream(s, l), n + 1);
  return Trap::none;
}

}   // namespace cardwright
