// Zones: members as sets, piles as "fixed top, bag, fixed bottom" (program/layout.h).
// A pile has a bottom part only while it has a bag: with the bag empty everything is in the top part, so that equal
// piles are equal bytes.
#pragma once

#include <initializer_list>

#include "runtime/ops/sets.h"
#include "runtime/ops/sinks.h"

namespace cardwright {

inline bool is_instance(const Layout& l, Int i) { return static_cast<Word>(i) < static_cast<Word>(l.instances); }
// The compiler knows which instances `i` can be better than what each of them is.
inline bool keeps_order(const Layout& l, Int i) {
  return i >= l.ordered_from && i < l.ordered_end && (l.ordered_all || l.instance[i].ordered);
}
inline Byte* members_at(Byte* s, const Layout& l, Int i) { return s + l.members + i * 8 * l.words; }
inline const Byte* members_at(const Byte* s, const Layout& l, Int i) { return s + l.members + i * 8 * l.words; }
inline void read_set(const Byte* at, const Layout& l, Word* out) {
  for (Int w = 0; w < l.words; ++w) out[w] = read<Word>(at + 8 * w);
}
inline void write_set(Byte* at, const Layout& l, const Word* set) {
  for (Int w = 0; w < l.words; ++w) write(at + 8 * w, set[w]);
}
inline Int word_offset(const Layout& l, Int card) { return l.words == 1 ? 0 : card >> 6 << 3; }
inline void add_to_stored(Byte* at, const Layout& l, Int card) {
  at += word_offset(l, card);
  write(at, read<Word>(at) | Word{1} << (card & 63));
}
inline void remove_from_stored(Byte* at, const Layout& l, Int card) {
  at += word_offset(l, card);
  write(at, read<Word>(at) & ~(Word{1} << (card & 63)));
}
inline bool stored_has(const Byte* at, const Layout& l, Int card) {
  return read<Word>(at + word_offset(l, card)) >> (card & 63) & 1;
}

// Where a card lies, or none. Which cards lie in each zone is all that a State holds of that.
inline Int find_zone(const Byte* s, const Layout& l, Int card) {
  for (Int i = 0; i < l.instances; ++i)
    if (stored_has(members_at(s, l, i), l, card)) return i;
  return kNone;
}
// … looked for from a zone on, and round: players' zones of one kind stand side by side.
[[gnu::noinline]] inline Int search_zone(const Byte* s, const Layout& l, Int card, Int first) {
  for (Int i = first; i < l.instances; ++i)
    if (stored_has(members_at(s, l, i), l, card)) return i;
  for (Int i = 0; i < first; ++i)
    if (stored_has(members_at(s, l, i), l, card)) return i;
  return kNone;
}
inline Int find_zone(const Byte* s, const Layout& l, Int card, Int guess) {
  if (!is_instance(l, guess)) return search_zone(s, l, card, 0);
  return CARDWRIGHT_LIKELY(stored_has(members_at(s, l, guess), l, card)) ? guess : search_zone(s, l, card, guess);
}

// ---- the order of a pile: lists of cards, by their neighbours (program/layout.h)
inline constexpr Int kNoCard = -1;            // the end of such a list
inline Int neighbour(const Byte* s, const Layout& l, Int at) {
  const Int stored = l.card_bytes == 1 ? s[at] : read<std::uint16_t>(s + at);
  CARDWRIGHT_KNOWN(stored <= l.card_ids);
  return stored - 1;
}
inline void set_neighbour(Byte* s, const Layout& l, Int at, Int card) {
  write_bytes(s + at, l.card_bytes, static_cast<Word>(card + 1));
}
inline Int top_of(const ZoneInstance& z) { return z.ends; }
inline Int bottom_of(const Layout& l, const ZoneInstance& z) { return z.ends + l.card_bytes; }
inline Int next_of(const Layout& l, Int card) { return l.next + card * l.card_bytes; }

inline Int fixed_top(const Byte* s, const Layout& l, const ZoneInstance& z) { return neighbour(s, l, top_of(z)); }
inline Int fixed_bottom(const Byte* s, const Layout& l, const ZoneInstance& z) {
  return l.has_bottoms == 0 ? kNoCard : neighbour(s, l, bottom_of(l, z));
}
inline Int beyond(const Byte* s, const Layout& l, Int card) { return neighbour(s, l, next_of(l, card)); }
inline Int list_length(const Byte* s, const Layout& l, Int card) {
  Int n = 0;
  for (; card >= 0; card = beyond(s, l, card)) ++n;
  return n;
}

// The cards of a zone, whichever way up they lie.
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
// `at`: the first of a list, or the neighbour of a card.
inline void put_in_list(Byte* s, const Layout& l, Int at, Int card) {
  write_bytes(s + next_of(l, card), l.card_bytes, read_bytes(s + at, l.card_bytes));
  set_neighbour(s, l, at, card);
}
inline void take_from_list(Byte* s, const Layout& l, Int at, Int card) {
  write_bytes(s + at, l.card_bytes, read_bytes(s + next_of(l, card), l.card_bytes));
  set_neighbour(s, l, next_of(l, card), kNoCard);
}
inline Int end_of_list(const Byte* s, const Layout& l, Int at) {
  for (Int card; (card = neighbour(s, l, at)) >= 0;) at = next_of(l, card);
  return at;
}
inline void push_top(Byte* s, const Layout& l, const ZoneInstance& z, Int card) { put_in_list(s, l, top_of(z), card); }
inline void push_under_top(Byte* s, const Layout& l, const ZoneInstance& z, Int card) {
  put_in_list(s, l, end_of_list(s, l, top_of(z)), card);
}
inline void push_bottom(Byte* s, const Layout& l, const ZoneInstance& z, Int card) {
  put_in_list(s, l, bottom_of(l, z), card);
}
// The bag is empty: what lies under it is now under the top part. Seldom, so not where cards are drawn.
inline void join_parts(Byte* s, const Layout& l, const ZoneInstance& z) {
  const Int end = end_of_list(s, l, top_of(z));
  for (Int card; (card = fixed_bottom(s, l, z)) >= 0;) {   // from the bottom up, each on top of those before
    take_from_list(s, l, bottom_of(l, z), card);
    put_in_list(s, l, end, card);
  }
}
inline void leave_bag(Byte* s, const Layout& l, Int i, Int card) {   // which is a member still, or no longer
  remove_from_stored(s + l.loose, l, card);
  if (fixed_bottom(s, l, l.instance[i]) >= 0 && bag_is_empty(s, l, i)) join_parts(s, l, l.instance[i]);
}
inline bool leave_list(Byte* s, const Layout& l, Int at, Int card) {
  for (Int here; (here = neighbour(s, l, at)) >= 0; at = next_of(l, here))
    if (here == card) return take_from_list(s, l, at, card), true;
  return false;
}
// From anywhere but the top.
[[gnu::noinline]] inline void leave_middle(Byte* s, const Layout& l, Int i, Int card) {
  if (stored_has(s + l.loose, l, card)) return leave_bag(s, l, i, card);
  if (!leave_list(s, l, top_of(l.instance[i]), card)) leave_list(s, l, bottom_of(l, l.instance[i]), card);
}
inline void leave_order(Byte* s, const Layout& l, Int i, Int card) {
  if (fixed_top(s, l, l.instance[i]) != card) return leave_middle(s, l, i, card);
  take_from_list(s, l, top_of(l.instance[i]), card);
}
// which is not empty. It is little, if l.words is known
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
inline void enter_zone(Byte* s, const Layout& l, Int to, Int card, bool bottom) {
  add_to_stored(members_at(s, l, to), l, card);
  const ZoneInstance& z = l.instance[to];
  if (!keeps_order(l, to)) return;
  if (!bottom) push_top(s, l, z, card);
  else if (bag_is_empty(s, l, to)) push_under_top(s, l, z, card);
  else push_bottom(s, l, z, card);
}

inline void clear_ends(Byte* s, const Layout& l, const ZoneInstance& z) {
  set_neighbour(s, l, top_of(z), kNoCard);
  set_neighbour(s, l, bottom_of(l, z), kNoCard);
}
// Nothing in a pile has a neighbour any more: one by one as they lie in the set, since a walk along the lists waits for
// each card.
inline void clear_order(Byte* s, const Layout& l, Int i) {
  clear_ends(s, l, l.instance[i]);
  for (Int w = 0; w < l.words; ++w)
    for (Word rest = members_word(s, l, i, w) & ~read<Word>(s + l.loose + 8 * w); rest != 0; rest &= rest - 1)
      set_neighbour(s, l, next_of(l, 64 * w + lowest_bit(rest)), kNoCard);
}
inline void take_off_stored(Byte* at, const Layout& l, const Word* cards) {
  for (Int w = 0; w < l.words; ++w) write(at + 8 * w, read<Word>(at + 8 * w) & ~cards[w]);
}
// All of a pile is taken at once: from the middle, one after the other would look for each in its list.
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
// The cards of a zone, or some of them, lie nowhere for the moment.
inline void leave_together(Byte* s, const Layout& l, Int from, const Word* cards) {
  if (keeps_order(l, from)) leave_pile_together(s, l, from, cards);
  else take_off_stored(members_at(s, l, from), l, cards);
}
// Into a zone without an order, or a pile as its bag: shuffled, and under what is fixed in it.
inline void enter_together(Byte* s, const Layout& l, Int to, const Word* cards) {
  const bool ordered = keeps_order(l, to);
  for (Int w = 0; w < l.words; ++w) {
    Byte* members = members_at(s, l, to) + 8 * w;
    write(members, read<Word>(members) | cards[w]);
    if (ordered) write(s + l.loose + 8 * w, read<Word>(s + l.loose + 8 * w) | cards[w]);
  }
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
// False when there is nothing to refill from. The pile has no bag. Where it is never refilled the compiler sees that
// nothing is called.
inline bool refill(Game& g, Byte* s, const Layout& l, Int pile) {
  const Int from = l.instance[pile].refill;
  return from >= 0 && refill_from(g, s, l, pile, from);
}
// Fixes the next card under the top part; the bag must not be empty.
inline Int fix_under_top(Byte* s, const Layout& l, Int i) {
  const Int card = draw_from_bag(s, l, i);
  push_under_top(s, l, l.instance[i], card);
  leave_bag(s, l, i, card);
  return card;
}

// ---- operations
inline Trap op_zone_index(Game& g, Byte*, const Layout&, const ZoneSlot& zone, Int owner, Int copy, Int& out) {
  if (CARDWRIGHT_UNLIKELY(owner == kNone || copy == kNone))
    return wrong(g, Trap::nobody, About::owner, zone.first, owner, copy);
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
inline Int op_zone_unchanged_top(Game&, Byte* s, const Layout& l, Int i) {
  if (!is_instance(l, i) || !l.instance[i].ordered) return kNone;
  const Int top = fixed_top(s, l, l.instance[i]);
  return top >= 0 ? top : kNone;
}
// ---- the tops of many piles
#ifdef __clang__   // for the JIT: tops that lie side by side, each with the bottom of its pile behind it
typedef unsigned short Tops __attribute__((ext_vector_type(16)));
inline constexpr Int kTops = 16;
inline void read_tops(const Byte* at, Tops& tops) {
  __builtin_memcpy(&tops, at, sizeof tops);
  tops &= 0xff;
}
// Cards stored as `least` up to so many more.
inline Word tops_between(const Byte* up, const Byte* down, Word least, Word more) {
  typedef bool Marks __attribute__((ext_vector_type(16)));
  Tops tops, below;
  read_tops(up, tops);
  read_tops(down, below);
  tops = tops == 0 ? below : tops;
  const Marks marks = __builtin_convertvector(
      tops - Tops(static_cast<unsigned short>(least)) <= Tops(static_cast<unsigned short>(more)), Marks);
  unsigned short mask;
  __builtin_memcpy(&mask, &marks, sizeof mask);
  return mask;
}
inline bool tops_lie_together(const Layout& l, Int first, Int n) {
  const Int from = l.instance[first].ends;
  // it reads beyond the last
  return l.instance[first + n - 1].ends - from == 2 * (n - 1) && from + 2 * (n + kTops) <= l.live_end;
}
#endif
inline bool top_is_among(const Byte* s, const Layout& l, Int up, Int down, const Word* cards) {
  Int top = fixed_top(s, l, l.instance[up]);
  if (top < 0) top = fixed_top(s, l, l.instance[down]);
  return top >= 0 && has_bit(cards, top);
}
inline Int op_tops_among([[maybe_unused]] Game& g, Byte* s, const Layout& l, const ZoneSlot& up, const ZoneSlot& down,
                         const Word* cards) {
  const Int n = up.owners * up.copies;
  Word mask = 0;
#ifdef __clang__
  constexpr Int kFew = 4;
  const Int least = op_set_first(g, s, l, cards), more = count_set(l, cards) - 1;
  if (n > kFew && l.card_bytes == 1 && more >= 0 && op_set_last(g, s, l, cards) == least + more &&
      tops_lie_together(l, up.first, n) && tops_lie_together(l, down.first, n)) {
    for (Int i = 0; i < n; i += kTops)
      mask |= tops_between(s + l.instance[up.first + i].ends, s + l.instance[down.first + i].ends,
                           static_cast<Word>(least + 1), static_cast<Word>(more))
              << i;
    return static_cast<Int>(mask & ((Word{1} << n) - 1));
  }
#endif
  for (Int i = 0; i < n; ++i) mask |= Word{top_is_among(s, l, up.first + i, down.first + i, cards)} << i;
  return static_cast<Int>(mask);
}
inline Int op_zone_top(Game& g, Byte* s, const Layout& l, Int i) {
  if (CARDWRIGHT_UNLIKELY(!is_instance(l, i))) return kNone;
  const ZoneInstance& z = l.instance[i];
  if (!keeps_order(l, i)) {
    if (const Int card = draw_from_members(s, l, i); card != kNone) return card;
    return refill(g, s, l, i) ? draw_from_members(s, l, i) : kNone;
  }
  if (const Int top = fixed_top(s, l, z); top >= 0) return top;
  if (bag_is_empty(s, l, i) && !refill(g, s, l, i)) return kNone;
  // Not the return value: with the bag's last card the bottom part comes under it, so it is still the topmost.
  return fix_under_top(s, l, i);
}
inline Int last_in_list(const Byte* s, const Layout& l, Int card) {
  for (Int under; (under = beyond(s, l, card)) >= 0;) card = under;
  return card;
}
inline Int op_zone_bottom(Game& g, Byte* s, const Layout& l, Int i) {
  if (CARDWRIGHT_UNLIKELY(!is_instance(l, i))) return kNone;
  const ZoneInstance& z = l.instance[i];
  if (!z.ordered) return op_zone_top(g, s, l, i);
  if (const Int bottom = fixed_bottom(s, l, z); bottom >= 0) return bottom;
  if (bag_is_empty(s, l, i)) {
    if (const Int top = fixed_top(s, l, z); top >= 0) return last_in_list(s, l, top);
    if (!refill(g, s, l, i)) return kNone;
  }
  const Int card = draw_from_bag(s, l, i);
  push_bottom(s, l, z, card);
  leave_bag(s, l, i, card);
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
      const Int card = nth_in_set(l, rest, draw_below(chance_stream(s, l), left));
      clear_bit(rest, card);
      set_bit(out, card);
    }
    return;
  }
  const auto lacks = [&] { return list_length(s, l, fixed_top(s, l, z)) < n; };
  while (lacks() && (!bag_is_empty(s, l, i) || refill(g, s, l, i))) fix_under_top(s, l, i);
  for (Int card = fixed_top(s, l, z); card >= 0 && n > 0; card = beyond(s, l, card), --n) set_bit(out, card);
}

// What the shuffled cards of a refill come under is no longer at the bottom.
inline void op_zone_bottom_n(Game& g, Byte* s, const Layout& l, Int i, Int n, Word* out) {
  for (Int w = 0; w < l.words; ++w) out[w] = 0;
  if (CARDWRIGHT_UNLIKELY(!is_instance(l, i)) || n <= 0) return;
  const ZoneInstance& z = l.instance[i];
  if (!z.ordered) return op_zone_top_n(g, s, l, i, n, out);
  const auto fix = [&] {
    while (list_length(s, l, fixed_bottom(s, l, z)) < n && !bag_is_empty(s, l, i)) {
      const Int card = draw_from_bag(s, l, i);
      put_in_list(s, l, end_of_list(s, l, bottom_of(l, z)), card);
      leave_bag(s, l, i, card);
    }
  };
  fix();
  if (bag_is_empty(s, l, i) && list_length(s, l, fixed_bottom(s, l, z)) + list_length(s, l, fixed_top(s, l, z)) < n &&
      refill(g, s, l, i))
    fix();
  for (Int card = fixed_bottom(s, l, z); card >= 0 && n > 0; card = beyond(s, l, card), --n) set_bit(out, card);
  if (!bag_is_empty(s, l, i)) return;
  Int above = list_length(s, l, fixed_top(s, l, z)) - n;  // the lowest of the top part
  for (Int card = fixed_top(s, l, z); card >= 0; card = beyond(s, l, card))
    if (above-- <= 0) set_bit(out, card);
}

inline Trap op_move_card(Game& g, Byte* s, const Layout& l, Int card, Int guess, Int to, Int bottom) {
  if (card == kNone) return Trap::none;
  if (CARDWRIGHT_UNLIKELY(!is_card(l, card))) return Trap::no_zone;
  if (CARDWRIGHT_UNLIKELY(!is_instance(l, to))) return Trap::bad_index;
  const Int from = find_zone(s, l, card, guess);
  if (CARDWRIGHT_UNLIKELY(from == kNone)) return wrong(g, Trap::no_zone, About::card, card);
  if (CARDWRIGHT_UNLIKELY((bottom & 2) != 0) && l.instance[to].other_side == from) {   // turned where it lies
    remove_from_stored(members_at(s, l, from), l, card);
    add_to_stored(members_at(s, l, to), l, card);
    return Trap::none;
  }
  leave_zone(s, l, from, card);
  enter_zone(s, l, to, card, (bottom & 1) != 0);
  return Trap::none;
}
// What zone_top and move_card do one after the other, without fixing the card's place on the way.
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
// Those of the cards that lie in `from` leave it; they are taken off `rest`.
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
// Out of the zones in which they lie, of which there may be several.
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
  // what was empty is a bag, of which the order is drawn later
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
// The n cards have places in the order: those on top, or under the bag.
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
  for (Int there; k > 0 && (there = neighbour(s, l, at)) >= 0; --k) at = next_of(l, there);
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

}  // namespace cardwright
