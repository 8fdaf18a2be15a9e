// Maintains the order of a pile, which consists of a fixed top, a bag and a fixed bottom (runtime/program/layout.h),
// and moves cards out of and into zones. A pile has a bottom part only while it has a bag: when the bag is empty all
// cards are in the top part, so that equal piles have equal bytes.
#pragma once

#include "runtime/ops/members.h"
#include "runtime/ops/sinks.h"

namespace cardwright {

// ---- linked lists of cards
inline constexpr Int kNoCard = -1;   // end of a list
inline Int neighbor(const Byte* s, const Layout& l, Int at) {
  const Int stored = l.card_bytes == 1 ? s[at] : read<std::uint16_t>(s + at);
  CARDWRIGHT_KNOWN(stored <= l.card_ids);
  return stored - 1;
}
inline void set_neighbor(Byte* s, const Layout& l, Int at, Int card) {
  write_bytes(s + at, l.card_bytes, static_cast<Word>(card + 1));
}
inline Int top_of(const ZoneInstance& z) { return z.ends; }
inline Int bottom_of(const Layout& l, const ZoneInstance& z) { return z.ends + l.card_bytes; }
inline Int next_of(const Layout& l, Int card) { return l.next + card * l.card_bytes; }

inline Int fixed_top(const Byte* s, const Layout& l, const ZoneInstance& z) { return neighbor(s, l, top_of(z)); }
inline Int fixed_bottom(const Byte* s, const Layout& l, const ZoneInstance& z) {
  return l.has_bottoms == 0 ? kNoCard : neighbor(s, l, bottom_of(l, z));
}
inline Int beyond(const Byte* s, const Layout& l, Int card) { return neighbor(s, l, next_of(l, card)); }
inline Int list_length(const Byte* s, const Layout& l, Int card) {
  Int n = 0;
  for (; card >= 0; card = beyond(s, l, card)) ++n;
  return n;
}

// Returns the cards of a zone, face up or face down.
inline Word members_word(const Byte* s, const Layout& l, Int i, Int w) {
  const Int other = l.instance[i].other_side;
  return read<Word>(members_at(s, l, i) + 8 * w) |
         (CARDWRIGHT_LIKELY(other < 0) ? 0 : read<Word>(members_at(s, l, other) + 8 * w));
}
inline void read_bag(const Byte* s, const Layout& l, Int i, Word* out) {
  for (Int w = 0; w < l.words; ++w) out[w] = members_word(s, l, i, w) & read<Word>(s + l.loose + 8 * w);
}
inline bool bag_is_empty(const Byte* s, const Layout& l, Int i) {
  Word bag[kMaxWords], all = 0;
  read_bag(s, l, i, bag);
  for (Int w = 0; w < l.words; ++w) all |= bag[w];
  return all == 0;
}
// Inserts a card into a list. `at` is the offset of the list's head, or of the link of the card before it.
inline void put_in_list(Byte* s, const Layout& l, Int at, Int card) {
  write_bytes(s + next_of(l, card), l.card_bytes, read_bytes(s + at, l.card_bytes));
  set_neighbor(s, l, at, card);
}
inline void take_from_list(Byte* s, const Layout& l, Int at, Int card) {
  write_bytes(s + at, l.card_bytes, read_bytes(s + next_of(l, card), l.card_bytes));
  set_neighbor(s, l, next_of(l, card), kNoCard);
}
inline Int end_of_list(const Byte* s, const Layout& l, Int at) {
  for (Int card; (card = neighbor(s, l, at)) >= 0;) at = next_of(l, card);
  return at;
}
inline void push_top(Byte* s, const Layout& l, const ZoneInstance& z, Int card) { put_in_list(s, l, top_of(z), card); }
inline void push_under_top(Byte* s, const Layout& l, const ZoneInstance& z, Int card) {
  put_in_list(s, l, end_of_list(s, l, top_of(z)), card);
}
inline void push_bottom(Byte* s, const Layout& l, const ZoneInstance& z, Int card) {
  put_in_list(s, l, bottom_of(l, z), card);
}
// Joins the bottom part to the top part when the bag is empty. This is rare, so it is not inlined where cards are
// drawn.
inline void join_parts(Byte* s, const Layout& l, const ZoneInstance& z) {
  const Int end = end_of_list(s, l, top_of(z));
  for (Int card; (card = fixed_bottom(s, l, z)) >= 0;) {   // from the bottom up; each card moves below the previous one
    take_from_list(s, l, bottom_of(l, z), card);
    put_in_list(s, l, end, card);
  }
}
// Removes a card from the bag. The card may already have left the instance's member set.
inline void leave_bag(Byte* s, const Layout& l, Int i, Int card) {
  remove_from_stored(s + l.loose, l, card);
  if (fixed_bottom(s, l, l.instance[i]) >= 0 && bag_is_empty(s, l, i)) join_parts(s, l, l.instance[i]);
}
inline bool leave_list(Byte* s, const Layout& l, Int at, Int card) {
  for (Int here; (here = neighbor(s, l, at)) >= 0; at = next_of(l, here))
    if (here == card) return take_from_list(s, l, at, card), true;
  return false;
}
// Removes a card from any position except the top.
[[gnu::noinline]] inline void leave_middle(Byte* s, const Layout& l, Int i, Int card) {
  if (stored_has(s + l.loose, l, card)) return leave_bag(s, l, i, card);
  if (!leave_list(s, l, top_of(l.instance[i]), card)) leave_list(s, l, bottom_of(l, l.instance[i]), card);
}
inline void leave_order(Byte* s, const Layout& l, Int i, Int card) {
  if (fixed_top(s, l, l.instance[i]) != card) return leave_middle(s, l, i, card);
  take_from_list(s, l, top_of(l.instance[i]), card);
}
// Returns a random card of the bag, which must not be empty. The code is short if l.words is a constant.
[[gnu::always_inline]] inline Int draw_from_bag(Byte* s, const Layout& l, Int i) {
  Word bag[kMaxWords];
  read_bag(s, l, i, bag);
  const Int n = count_set(l, bag);
  return nth_in_set(l, bag, draw_below(chance_stream(s, l), n));
}
inline Int draw_from_members(Byte* s, const Layout& l, Int i) {
  Word members[kMaxWords];
  read_set(members_at(s, l, i), l, members);
  const Int n = count_set(l, members);
  return n == 0 ? kNone : nth_in_set(l, members, draw_below(chance_stream(s, l), n));
}

// ---- moving
inline void leave_zone(Byte* s, const Layout& l, Int from, Int card) {
  remove_from_stored(members_at(s, l, from), l, card);
  if (keeps_order(l, from)) leave_order(s, l, from, card);
}
inline void stamp_card(Byte* s, const Layout& l, Int card) {
  const std::uint32_t now = read<std::uint32_t>(s + l.stamp_clock) + 1;
  write(s + l.stamp_clock, now);
  write(s + l.stamps + 4 * card, now);
}
inline void enter_zone(Byte* s, const Layout& l, Int to, Int card, bool bottom) {
  add_to_stored(members_at(s, l, to), l, card);
  if (CARDWRIGHT_UNLIKELY(l.instance[to].stamped != 0)) stamp_card(s, l, card);
  const ZoneInstance& z = l.instance[to];
  if (!keeps_order(l, to)) return;
  if (!bottom)
    push_top(s, l, z, card);
  else if (bag_is_empty(s, l, to))
    push_under_top(s, l, z, card);
  else
    push_bottom(s, l, z, card);
}

inline void clear_ends(Byte* s, const Layout& l, const ZoneInstance& z) {
  set_neighbor(s, l, top_of(z), kNoCard);
  set_neighbor(s, l, bottom_of(l, z), kNoCard);
}
// Clears the links of all cards in a pile, in the order of the member set, because following the lists would wait for a
// memory load per card.
inline void clear_order(Byte* s, const Layout& l, Int i) {
  clear_ends(s, l, l.instance[i]);
  for (Int w = 0; w < l.words; ++w)
    for (Word rest = members_word(s, l, i, w) & ~read<Word>(s + l.loose + 8 * w); rest != 0; rest &= rest - 1)
      set_neighbor(s, l, next_of(l, 64 * w + lowest_bit(rest)), kNoCard);
}
inline void take_off_stored(Byte* at, const Layout& l, const Word* cards) {
  for (Int w = 0; w < l.words; ++w) write(at + 8 * w, read<Word>(at + 8 * w) & ~cards[w]);
}
// Removes several cards at once; removing them one by one would search the list for each.
[[gnu::noinline]] inline void leave_pile_together(Byte* s, const Layout& l, Int from, const Word* cards) {
  Word stay = 0;
  for (Int w = 0; w < l.words; ++w) stay |= members_word(s, l, from, w) & ~cards[w];
  if (stay != 0) {
    for (Int w = 0; w < l.words; ++w)
      for (Word left = cards[w]; left != 0; left &= left - 1) leave_zone(s, l, from, 64 * w + lowest_bit(left));
    return;
  }
  clear_order(s, l, from);
  take_off_stored(members_at(s, l, from), l, cards);
  take_off_stored(s + l.loose, l, cards);
}
// Removes cards from a zone; afterwards they are in no zone.
inline void leave_together(Byte* s, const Layout& l, Int from, const Word* cards) {
  if (keeps_order(l, from))
    leave_pile_together(s, l, from, cards);
  else
    take_off_stored(members_at(s, l, from), l, cards);
}
// Adds cards to a zone without an order, or to the bag of a pile, where they are shuffled below the fixed top.
inline void enter_together(Byte* s, const Layout& l, Int to, const Word* cards) {
  const bool ordered = keeps_order(l, to);
  for (Int w = 0; w < l.words; ++w) {
    Byte* members = members_at(s, l, to) + 8 * w;
    write(members, read<Word>(members) | cards[w]);
    if (ordered) write(s + l.loose + 8 * w, read<Word>(s + l.loose + 8 * w) | cards[w]);
  }
  if (CARDWRIGHT_LIKELY(l.instance[to].stamped == 0)) return;
  for (Int w = 0; w < l.words; ++w)
    for (Word left = cards[w]; left != 0; left &= left - 1) stamp_card(s, l, 64 * w + lowest_bit(left));
}
inline void pour(Byte* s, const Layout& l, Int from, Int pile) {
  for (const Int side : {l.instance[from].other_side, from}) {
    if (side < 0) continue;
    Word cards[kMaxWords];
    read_set(members_at(s, l, side), l, cards);
    leave_together(s, l, side, cards);
    enter_together(s, l, pile, cards);
  }
}
[[gnu::noinline, gnu::cold]] inline bool refill_from(Game& g, Byte* s, const Layout& l, Int pile, Int from) {
  Word all = 0;
  for (Int w = 0; w < l.words; ++w) all |= members_word(s, l, from, w);
  if (all == 0) return false;
  if (CARDWRIGHT_UNLIKELY(g.knowledge != 0 || g.log != nullptr))
    for (const Int side : {l.instance[from].other_side, from})
      if (side >= 0) cardwright_note_refill(&g, s, &l, pile, side);
  pour(s, l, from, pile);
  return true;
}
// Refills a pile, which must have no bag. Returns false if there are no cards to refill it with. If a pile is never
// refilled, the compiler can remove the call.
inline bool refill(Game& g, Byte* s, const Layout& l, Int pile) {
  const Int from = l.instance[pile].refill;
  return from >= 0 && refill_from(g, s, l, pile, from);
}
// Draws a card from the bag and fixes it below the top part. The bag must not be empty.
inline Int fix_under_top(Byte* s, const Layout& l, Int i) {
  const Int card = draw_from_bag(s, l, i);
  push_under_top(s, l, l.instance[i], card);
  leave_bag(s, l, i, card);
  return card;
}

}   // namespace cardwright
