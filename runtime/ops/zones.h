// Zones: members as sets, piles as "fixed top, bag, fixed bottom" (runtime/layout.h).
// A pile has a bottom part only while it has a bag: with the bag empty everything is in the top part, so that equal
// piles are equal bytes.
#pragma once

#include "runtime/ops/sets.h"
#include "runtime/sinks.h"

namespace cardwright {

inline constexpr Int kNowhere = 255;

inline bool is_instance(const Layout& l, Int i) { return static_cast<Word>(i) < static_cast<Word>(l.instances); }
// The compiler knows which instances `i` can be better than what each of them is.
inline bool keeps_order(const Layout& l, Int i) { return i >= l.ordered_from && i < l.ordered_end && (l.ordered_all || l.instance[i].ordered); }
inline Byte* members_at(Byte* s, const Layout& l, Int i) { return s + l.members + i * 8 * l.words; }
inline const Byte* members_at(const Byte* s, const Layout& l, Int i) { return s + l.members + i * 8 * l.words; }
inline void read_set(const Byte* at, const Layout& l, Word* out) {
  for (Int w = 0; w < l.words; ++w) out[w] = read<Word>(at + 8 * w);
}
inline void write_set(Byte* at, const Layout& l, const Word* set) {
  for (Int w = 0; w < l.words; ++w) write(at + 8 * w, set[w]);
}
inline void add_to_stored(Byte* at, Int card) {
  at += card >> 6 << 3;
  write(at, read<Word>(at) | Word{1} << (card & 63));
}
inline void remove_from_stored(Byte* at, Int card) {
  at += card >> 6 << 3;
  write(at, read<Word>(at) & ~(Word{1} << (card & 63)));
}
inline bool stored_has(const Byte* at, Int card) { return read<Word>(at + (card >> 6 << 3)) >> (card & 63) & 1; }

// ---- the order of a pile
inline Int top_count(const Byte* s, const ZoneInstance& z) { return read<std::uint16_t>(s + z.counts); }
inline Int bottom_count(const Byte* s, const Layout& l, const ZoneInstance& z) { return l.has_bottoms == 0 ? 0 : read<std::uint16_t>(s + z.counts + 2); }
inline void set_top_count(Byte* s, const ZoneInstance& z, Int n) { write(s + z.counts, static_cast<std::uint16_t>(n)); }
inline void set_bottom_count(Byte* s, const ZoneInstance& z, Int n) { write(s + z.counts + 2, static_cast<std::uint16_t>(n)); }
inline Int card_in_order(const Byte* s, const Layout& l, const ZoneInstance& z, Int at) {
  const Byte* order = s + z.order + at * l.card_bytes;
  const Int card = l.card_bytes == 1 ? *order : read<std::uint16_t>(order);
  CARDWRIGHT_KNOWN(card < l.card_ids);
  return card;
}
inline void set_order(Byte* s, const Layout& l, const ZoneInstance& z, Int at, Int card) {
  write_bytes(s + z.order + at * l.card_bytes, l.card_bytes, static_cast<Word>(card));
}
inline void move_order(Byte* s, const Layout& l, const ZoneInstance& z, Int from, Int to, Int n) {
  if (n > 0) __builtin_memmove(s + z.order + to * l.card_bytes, s + z.order + from * l.card_bytes, static_cast<Word>(n * l.card_bytes));
}
inline bool bag_is_empty(const Byte* s, const Layout& l, const ZoneInstance& z) {
  Word all = 0;
  for (Int w = 0; w < l.words; ++w) all |= read<Word>(s + z.bag + 8 * w);
  return all == 0;
}
inline void push_top(Byte* s, const Layout& l, const ZoneInstance& z, Int card) {
  const Int top = top_count(s, z);
  set_order(s, l, z, top, card);
  set_top_count(s, z, top + 1);
}
inline void push_under_top(Byte* s, const Layout& l, const ZoneInstance& z, Int card) {
  const Int top = top_count(s, z);
  move_order(s, l, z, 0, 1, top);
  set_order(s, l, z, 0, card);
  set_top_count(s, z, top + 1);
}
inline void push_bottom(Byte* s, const Layout& l, const ZoneInstance& z, Int card) {
  const Int bottom = bottom_count(s, l, z);
  move_order(s, l, z, l.capacity - bottom, l.capacity - bottom - 1, bottom);
  set_order(s, l, z, l.capacity - 1, card);
  set_bottom_count(s, z, bottom + 1);
}
// The bag is empty: what lies under it is now under the top part. Seldom, so not where cards are drawn.
inline void join_parts(Byte* s, const Layout& l, const ZoneInstance& z) {
  for (Int bottom = bottom_count(s, l, z); bottom > 0; --bottom) {
    const Int at = l.capacity - bottom;
    const Int card = card_in_order(s, l, z, at);
    set_order(s, l, z, at, 0);
    push_under_top(s, l, z, card);
  }
  set_bottom_count(s, z, 0);
}
inline void leave_bag(Byte* s, const Layout& l, const ZoneInstance& z, Int card) {
  remove_from_stored(s + z.bag, card);
  if (bottom_count(s, l, z) > 0 && bag_is_empty(s, l, z)) join_parts(s, l, z);
}
inline Int find_in_order(const Byte* s, const Layout& l, const ZoneInstance& z, Int from, Int to, Int card) {
  while (to-- > from)
    if (card_in_order(s, l, z, to) == card) return to;
  return -1;
}
// From anywhere but the top.
[[gnu::noinline]] inline void leave_middle(Byte* s, const Layout& l, const ZoneInstance& z, Int card) {
  if (stored_has(s + z.bag, card)) return leave_bag(s, l, z, card);
  const Int top = top_count(s, z), bottom = bottom_count(s, l, z);
  if (const Int at = find_in_order(s, l, z, 0, top, card); at >= 0) {
    move_order(s, l, z, at + 1, at, top - 1 - at);
    set_order(s, l, z, top - 1, 0);
    set_top_count(s, z, top - 1);
  } else if (const Int deep = find_in_order(s, l, z, l.capacity - bottom, l.capacity, card); deep >= 0) {
    move_order(s, l, z, l.capacity - bottom, l.capacity - bottom + 1, deep - (l.capacity - bottom));
    set_order(s, l, z, l.capacity - bottom, 0);
    set_bottom_count(s, z, bottom - 1);
  }
}
inline void leave_order(Byte* s, const Layout& l, const ZoneInstance& z, Int card) {
  const Int top = top_count(s, z);
  if (top == 0 || card_in_order(s, l, z, top - 1) != card) return leave_middle(s, l, z, card);
  set_order(s, l, z, top - 1, 0);
  set_top_count(s, z, top - 1);
}
inline Int draw_from_bag(Byte* s, const Layout& l, const ZoneInstance& z) {
  Word bag[kMaxWords];
  read_set(s + z.bag, l, bag);
  const Int n = count_set(l, bag);
  return select_in_set(l, bag, draw_below(chance_stream(s, l), n));
}
inline Int draw_from_members(Byte* s, const Layout& l, Int i) {
  Word members[kMaxWords];
  read_set(members_at(s, l, i), l, members);
  const Int n = count_set(l, members);
  return n == 0 ? kNone : select_in_set(l, members, draw_below(chance_stream(s, l), n));
}

// ---- moving
inline void leave_zone(Byte* s, const Layout& l, Int from, Int card) {
  remove_from_stored(members_at(s, l, from), card);
  if (keeps_order(l, from)) leave_order(s, l, l.instance[from], card);
}
inline void enter_zone(Byte* s, const Layout& l, Int to, Int card, bool bottom) {
  s[l.location + card] = static_cast<Byte>(to);
  add_to_stored(members_at(s, l, to), card);
  const ZoneInstance& z = l.instance[to];
  if (!keeps_order(l, to)) return;
  if (!bottom) push_top(s, l, z, card);
  else if (bag_is_empty(s, l, z)) push_under_top(s, l, z, card);
  else push_bottom(s, l, z, card);
}

// Everything in `from` becomes the bag of the pile: shuffled, and under what is fixed in it.
inline void pour(Byte* s, const Layout& l, Int from, Int pile) {
  const ZoneInstance& z = l.instance[pile];
  const ZoneInstance& source = l.instance[from];
  for (Int w = 0; w < l.words; ++w) {
    const Word cards = read<Word>(members_at(s, l, from) + 8 * w);
    if (cards == 0) continue;
    write(members_at(s, l, from) + 8 * w, Word{0});
    Byte* members = members_at(s, l, pile) + 8 * w;
    write(members, read<Word>(members) | cards);
    if (z.ordered) write(s + z.bag + 8 * w, read<Word>(s + z.bag + 8 * w) | cards);
    for (Word rest = cards; rest != 0; rest &= rest - 1) s[l.location + 64 * w + lowest_bit(rest)] = static_cast<Byte>(pile);
  }
  if (!source.ordered) return;
  for (Int w = 0; w < l.words; ++w) write(s + source.bag + 8 * w, Word{0});
  __builtin_memset(s + source.order, 0, static_cast<Word>(l.capacity * l.card_bytes));
  write(s + source.counts, std::uint32_t{0});
}
// False when there is nothing to refill from. The pile has no bag.
[[gnu::noinline, gnu::cold]] inline bool refill(Game& g, Byte* s, const Layout& l, Int pile) {
  const Int from = l.instance[pile].refill;
  if (from < 0) return false;
  Word all = 0;
  for (Int w = 0; w < l.words; ++w) all |= read<Word>(members_at(s, l, from) + 8 * w);
  if (all == 0) return false;
  if (CARDWRIGHT_UNLIKELY(g.knowledge != 0 || g.log != nullptr)) cardwright_note_refill(&g, s, &l, pile, from);
  pour(s, l, from, pile);
  return true;
}
// Fixes the next card under the top part; the bag must not be empty.
inline Int fix_under_top(Byte* s, const Layout& l, const ZoneInstance& z) {
  const Int card = draw_from_bag(s, l, z);
  push_under_top(s, l, z, card);
  leave_bag(s, l, z, card);
  return card;
}

// ---- operations
inline Trap op_zone_index(Game&, Byte*, const Layout&, const ZoneSlot& zone, Int owner, Int copy, Int& out) {
  if (CARDWRIGHT_UNLIKELY(owner == kNone || copy == kNone)) return Trap::nobody;
  if (CARDWRIGHT_UNLIKELY(static_cast<Word>(owner) >= static_cast<Word>(zone.owners) ||
                          static_cast<Word>(copy) >= static_cast<Word>(zone.copies)))
    return Trap::bad_index;
  out = zone.first + owner * zone.copies + copy;
  return Trap::none;
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
inline Int op_zone_of(Game&, Byte* s, const Layout& l, Int card) {
  if (!is_card(l, card)) return kNone;
  const Int at = s[l.location + card];
  return at == kNowhere ? kNone : at;
}
inline Int op_zone_unchanged_top(Game&, Byte* s, const Layout& l, Int i) {
  if (!is_instance(l, i) || !l.instance[i].ordered) return kNone;
  const Int top = top_count(s, l.instance[i]);
  return top > 0 ? card_in_order(s, l, l.instance[i], top - 1) : kNone;
}
inline Int op_zone_top(Game& g, Byte* s, const Layout& l, Int i) {
  if (CARDWRIGHT_UNLIKELY(!is_instance(l, i))) return kNone;
  const ZoneInstance& z = l.instance[i];
  if (!z.ordered) {
    if (const Int card = draw_from_members(s, l, i); card != kNone) return card;
    return refill(g, s, l, i) ? draw_from_members(s, l, i) : kNone;
  }
  if (const Int top = top_count(s, z); top > 0) return card_in_order(s, l, z, top - 1);
  if (bag_is_empty(s, l, z) && !refill(g, s, l, i)) return kNone;
  // Not the return value: with the bag's last card the bottom part comes under it, so it is still the topmost.
  return fix_under_top(s, l, z);
}
inline Int op_zone_bottom(Game& g, Byte* s, const Layout& l, Int i) {
  if (CARDWRIGHT_UNLIKELY(!is_instance(l, i))) return kNone;
  const ZoneInstance& z = l.instance[i];
  if (!z.ordered) return op_zone_top(g, s, l, i);
  if (bottom_count(s, l, z) > 0) return card_in_order(s, l, z, l.capacity - 1);
  if (bag_is_empty(s, l, z)) {
    if (top_count(s, z) > 0) return card_in_order(s, l, z, 0);
    if (!refill(g, s, l, i)) return kNone;
  }
  const Int card = draw_from_bag(s, l, z);
  push_bottom(s, l, z, card);
  leave_bag(s, l, z, card);
  return card;
}
inline void op_zone_top_n(Game& g, Byte* s, const Layout& l, Int i, Int n, Word* out) {
  for (Int w = 0; w < l.words; ++w) out[w] = 0;
  if (CARDWRIGHT_UNLIKELY(!is_instance(l, i)) || n <= 0) return;
  const ZoneInstance& z = l.instance[i];
  if (!z.ordered) {
    Word rest[kMaxWords];
    read_set(members_at(s, l, i), l, rest);
    if (count_set(l, rest) < n) {          // what is left is on top
      copy_words(l, rest, out);
      n -= count_set(l, rest);
      if (!refill(g, s, l, i)) return;
      read_set(members_at(s, l, i), l, rest);
      for (Int w = 0; w < l.words; ++w) rest[w] &= ~out[w];
    }
    for (Int left = count_set(l, rest); n > 0 && left > 0; --n, --left) {
      const Int card = select_in_set(l, rest, draw_below(chance_stream(s, l), left));
      clear_bit(rest, card);
      set_bit(out, card);
    }
    return;
  }
  while (top_count(s, z) < n && !bag_is_empty(s, l, z)) fix_under_top(s, l, z);
  if (top_count(s, z) < n && refill(g, s, l, i))
    while (top_count(s, z) < n && !bag_is_empty(s, l, z)) fix_under_top(s, l, z);
  const Int top = top_count(s, z);
  for (Int at = top; at-- > 0 && at >= top - n;) set_bit(out, card_in_order(s, l, z, at));
}

// What the shuffled cards of a refill come under is no longer at the bottom.
inline void op_zone_bottom_n(Game& g, Byte* s, const Layout& l, Int i, Int n, Word* out) {
  for (Int w = 0; w < l.words; ++w) out[w] = 0;
  if (CARDWRIGHT_UNLIKELY(!is_instance(l, i)) || n <= 0) return;
  const ZoneInstance& z = l.instance[i];
  if (!z.ordered) return op_zone_top_n(g, s, l, i, n, out);
  const auto fix = [&] {
    while (bottom_count(s, l, z) < n && !bag_is_empty(s, l, z)) {
      const Int card = draw_from_bag(s, l, z), bottom = bottom_count(s, l, z);
      set_order(s, l, z, l.capacity - bottom - 1, card);
      set_bottom_count(s, z, bottom + 1);
      leave_bag(s, l, z, card);
    }
  };
  fix();
  if (bottom_count(s, l, z) + top_count(s, z) < n && bag_is_empty(s, l, z) && refill(g, s, l, i)) fix();
  for (Int at = l.capacity - 1; n > 0 && at >= l.capacity - bottom_count(s, l, z); --at, --n) set_bit(out, card_in_order(s, l, z, at));
  if (!bag_is_empty(s, l, z)) return;
  for (Int at = 0; n > 0 && at < top_count(s, z); ++at, --n) set_bit(out, card_in_order(s, l, z, at));
}

inline Trap op_move_card(Game&, Byte* s, const Layout& l, Int card, Int to, Int bottom) {
  if (card == kNone) return Trap::none;
  if (CARDWRIGHT_UNLIKELY(!is_card(l, card))) return Trap::no_zone;
  if (CARDWRIGHT_UNLIKELY(!is_instance(l, to))) return Trap::bad_index;
  const Int from = s[l.location + card];
  if (CARDWRIGHT_UNLIKELY(from == kNowhere)) return Trap::no_zone;
  leave_zone(s, l, from, card);
  enter_zone(s, l, to, card, (bottom & 1) != 0);
  return Trap::none;
}
// What zone_top and move_card do one after the other, without fixing the card's place on the way.
inline Trap op_draw_card(Game& g, Byte* s, const Layout& l, Int pile, Int to, Int& out) {
  if (CARDWRIGHT_UNLIKELY(!is_instance(l, pile) || !is_instance(l, to) || pile == to || !l.instance[pile].ordered)) {
    out = op_zone_top(g, s, l, pile);
    return op_move_card(g, s, l, out, to, 0);
  }
  const ZoneInstance& z = l.instance[pile];
  out = kNone;
  if (const Int top = top_count(s, z); top > 0) {
    out = card_in_order(s, l, z, top - 1);
    set_order(s, l, z, top - 1, 0);
    set_top_count(s, z, top - 1);
  } else if (CARDWRIGHT_LIKELY(!bag_is_empty(s, l, z)) || refill(g, s, l, pile)) {
    out = draw_from_bag(s, l, z);
    leave_bag(s, l, z, out);
  } else {
    return Trap::none;
  }
  remove_from_stored(members_at(s, l, pile), out);
  enter_zone(s, l, to, out, false);
  return Trap::none;
}
inline Trap op_move_cards(Game& g, Byte* s, const Layout& l, const Word* cards, Int to, Int how) {
  if (CARDWRIGHT_UNLIKELY(!is_instance(l, to))) return Trap::bad_index;
  const ZoneInstance& z = l.instance[to];
  Word rest[kMaxWords];
  copy_words(l, cards, rest);
  if (!z.ordered || z.visible != 0) {
    for (Int w = 0; w < l.words; ++w)
      for (Word left = rest[w]; left != 0; left &= left - 1)
        if (const Trap trap = op_move_card(g, s, l, 64 * w + lowest_bit(left), to, how); trap != Trap::none) return trap;
    return Trap::none;
  }
  // Face down: in random order. Onto an empty pile that is a bag, of which the order is drawn later.
  const Int before = op_zone_size(g, s, l, to);
  for (Int left = count_set(l, rest); left > 0; --left) {
    const Int card = before == 0 ? op_set_first(g, s, l, rest) : select_in_set(l, rest, draw_below(chance_stream(s, l), left));
    clear_bit(rest, card);
    if (const Trap trap = op_move_card(g, s, l, card, to, before == 0 ? 0 : how); trap != Trap::none) return trap;
    if (before > 0) continue;
    set_order(s, l, z, 0, 0);
    set_top_count(s, z, 0);
    add_to_stored(s + z.bag, card);
  }
  return Trap::none;
}
inline void op_shuffle(Game& g, Byte* s, const Layout& l, Int pile) {
  if (CARDWRIGHT_UNLIKELY(!is_instance(l, pile))) return;
  const ZoneInstance& z = l.instance[pile];
  if (CARDWRIGHT_UNLIKELY(g.knowledge != 0)) cardwright_note_shuffle(&g, s, &l, pile);
  if (!z.ordered) return;
  for (Int w = 0; w < l.words; ++w) write(s + z.bag + 8 * w, read<Word>(members_at(s, l, pile) + 8 * w));
  __builtin_memset(s + z.order, 0, static_cast<Word>(l.capacity * l.card_bytes));
  write(s + z.counts, std::uint32_t{0});
}

inline Trap op_roll(Game&, Byte* s, const Layout& l, Int lo, Int hi, Int& out) {
  if (CARDWRIGHT_UNLIKELY(lo == kNone || hi == kNone)) return Trap::none_in_arithmetic;
  if (CARDWRIGHT_UNLIKELY(hi < lo)) return Trap::out_of_range;
  Int n;
  if (__builtin_sub_overflow(hi, lo, &n) || n == std::numeric_limits<Int>::max()) return Trap::overflow;
  out = lo + draw_below(chance_stream(s, l), n + 1);
  return Trap::none;
}

}  // namespace cardwright
