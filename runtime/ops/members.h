// Reads and updates member sets, which store the cards of each zone instance (runtime/program/layout.h). In a State,
// only these sets record the zone of a card.
#pragma once

#include "runtime/ops/sets.h"

namespace cardwright {

inline bool is_instance(const Layout& l, Int i) { return static_cast<Word>(i) < static_cast<Word>(l.instances); }
// Returns true for an ordered instance. Checks the range of `i` first, because the compiler often knows the range of
// `i` but not the instance itself.
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

// Returns the zone of a card, or none, by searching all member sets.
inline Int find_zone(const Byte* s, const Layout& l, Int card) {
  for (Int i = 0; i < l.instances; ++i)
    if (stored_has(members_at(s, l, i), l, card)) return i;
  return kNone;
}
// Does the same, but starts at zone `first` and wraps around, because the players' zones of one kind are adjacent.
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

}   // namespace cardwright
