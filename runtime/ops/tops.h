// Reads top and bottom cards of piles. Reading a card whose position is not drawn yet fixes the position.
#pragma once

#include "runtime/ops/piles.h"

namespace cardwright {

inline Int op_zone_unchanged_top(Game&, Byte* s, const Layout& l, Int i) {
  if (!is_instance(l, i) || !l.instance[i].ordered) return kNone;
  const Int top = fixed_top(s, l, l.instance[i]);
  return top >= 0 ? top : kNone;
}

// ---- the tops of many piles
// For the JIT, one vector load reads the ends of several piles: in memory, the top of each pile is followed by its
// bottom and then by the next pile.
#ifdef __clang__
typedef unsigned short Tops __attribute__((ext_vector_type(16)));
inline constexpr Int kTops = 16;
inline void read_tops(const Byte* at, Tops& tops) {
  __builtin_memcpy(&tops, at, sizeof tops);
  tops &= 0xff;
}
// Returns a mask of the piles whose stored top card is in [least, least + more].
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
inline bool are_adjacent_tops(const Layout& l, Int first, Int n) {
  const Int from = l.instance[first].ends;
  // The wide load reads beyond the last top.
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
      are_adjacent_tops(l, up.first, n) && are_adjacent_tops(l, down.first, n)) {
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

// ---- the top or bottom of one pile
inline Int op_zone_top(Game& g, Byte* s, const Layout& l, Int i) {
  if (CARDWRIGHT_UNLIKELY(!is_instance(l, i))) return kNone;
  const ZoneInstance& z = l.instance[i];
  if (!keeps_order(l, i)) {
    if (const Int card = draw_from_members(s, l, i); card != kNone) return card;
    return refill(g, s, l, i) ? draw_from_members(s, l, i) : kNone;
  }
  if (const Int top = fixed_top(s, l, z); top >= 0) return top;
  if (bag_is_empty(s, l, i) && !refill(g, s, l, i)) return kNone;
  // The drawn card is the top card even if it was the last card of the bag, because then the bottom part is joined
  // below it.
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
    if (count_set(l, rest) < n) {   // these cards become the top of the refilled pile
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

// Returns the n bottom cards of a pile. If a refill is needed, the shuffled cards go under the pile's previous cards,
// which are then no longer at the bottom.
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
  Int above = list_length(s, l, fixed_top(s, l, z)) - n;   // number of cards above the n lowest of the top part
  for (Int card = fixed_top(s, l, z); card >= 0; card = beyond(s, l, card))
    if (above-- <= 0) set_bit(out, card);
}

}   // namespace cardwright
