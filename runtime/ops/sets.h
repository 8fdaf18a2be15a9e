// Implements operations on sets of cards or board cells. A set has Layout::words words, and `out` may be one of the
// operands.
#pragma once

#include "runtime/ops/bits.h"
#include "runtime/ops/random.h"
#include "runtime/ops/wrong.h"

namespace cardwright {

inline void copy_words(const Layout& l, const Word* from, Word* to) {
  for (Int w = 0; w < l.words; ++w) to[w] = from[w];
}
inline Word bit_in_word(Int card, Int w) { return card >> 6 == w ? Word{1} << (card & 63) : 0; }
inline bool fits_set(const Layout& l, Int card) { return static_cast<Word>(card) < 64 * static_cast<Word>(l.words); }

// For large sets the JIT vectorizes the loop (jit/optimize), so all words must be read before any is written, because
// `out` may be an operand.
constexpr Int kManyWords = 4;
template <class F>
inline void each_word(const Layout& l, Word* out, F word) {
#ifdef CARDWRIGHT_BITCODE
  if (l.words >= kManyWords) {
    Word all[kMaxWords];
    for (Int w = 0; w < l.words; ++w) all[w] = word(w);
    return copy_words(l, all, out);
  }
#endif
  for (Int w = 0; w < l.words; ++w) out[w] = word(w);
}

inline void op_set_empty(Game&, Byte*, const Layout& l, Word* out) {
  for (Int w = 0; w < l.words; ++w) out[w] = 0;
}
inline void op_set_or(Game&, Byte*, const Layout& l, const Word* a, const Word* b, Word* out) {
  each_word(l, out, [&](Int w) { return a[w] | b[w]; });
}
inline void op_set_and(Game&, Byte*, const Layout& l, const Word* a, const Word* b, Word* out) {
  each_word(l, out, [&](Int w) { return a[w] & b[w]; });
}
inline void op_set_without(Game&, Byte*, const Layout& l, const Word* a, const Word* b, Word* out) {
  each_word(l, out, [&](Int w) { return a[w] & ~b[w]; });
}
inline void op_set_of(Game&, Byte*, const Layout& l, Int card, Word* out) {
  each_word(l, out, [&](Int w) { return bit_in_word(card, w); });
}
inline void op_set_add(Game&, Byte*, const Layout& l, const Word* a, Int card, Word* out) {
  each_word(l, out, [&](Int w) { return a[w] | bit_in_word(card, w); });
}
inline void op_set_remove(Game&, Byte*, const Layout& l, const Word* a, Int card, Word* out) {
  each_word(l, out, [&](Int w) { return a[w] & ~bit_in_word(card, w); });
}
inline Int op_set_has(Game&, Byte*, const Layout& l, const Word* a, Int card) {
  return fits_set(l, card) && has_bit(a, card);
}
inline Int op_set_any(Game&, Byte*, const Layout& l, const Word* a) { return any_in_set(l, a); }
inline Int op_set_count(Game&, Byte*, const Layout& l, const Word* a) { return count_set(l, a); }
inline Int op_set_equal(Game&, Byte*, const Layout& l, const Word* a, const Word* b) {
  Word differ = 0;
  for (Int w = 0; w < l.words; ++w) differ |= a[w] ^ b[w];
  return differ == 0;
}
inline Int op_set_within(Game&, Byte*, const Layout& l, const Word* a, const Word* b) {
  Word outside = 0;
  for (Int w = 0; w < l.words; ++w) outside |= a[w] & ~b[w];
  return outside == 0;
}
inline Int op_set_disjoint(Game&, Byte*, const Layout& l, const Word* a, const Word* b) {
  Word common = 0;
  for (Int w = 0; w < l.words; ++w) common |= a[w] & b[w];
  return common == 0;
}
inline Int op_set_first(Game&, Byte*, const Layout& l, const Word* a) {
  if (l.words == 2) {   // a branch would be unpredictable, so the word is selected without one
    const bool high = a[0] == 0;
    return any_in_set(l, a) ? 64 * Int{high} + lowest_bit(high ? a[1] : a[0]) : kNone;
  }
  for (Int w = 0; w < l.words; ++w)
    if (a[w] != 0) return 64 * w + lowest_bit(a[w]);
  return kNone;
}
inline Int op_set_next(Game&, Byte*, const Layout& l, const Word* a, Int element) {
  const Word at = static_cast<Word>(element) + 1;
  if (at >= 64 * static_cast<Word>(l.words)) return kNone;
  if (const Word here = a[at >> 6] >> (at & 63); here != 0) return static_cast<Int>(at) + lowest_bit(here);
  for (Int w = static_cast<Int>(at >> 6) + 1; w < l.words; ++w)
    if (a[w] != 0) return 64 * w + lowest_bit(a[w]);
  return kNone;
}
// Subtracts 1 from the set as one long number: the borrow clears the lowest card.
inline void op_set_rest(Game&, Byte*, const Layout& l, const Word* a, Word* out) {
  Word borrow = 1;
  for (Int w = 0; w < l.words; ++w) {
    const Word word = a[w];
    out[w] = word & (word - borrow);
    borrow = word < borrow;
  }
}
inline Int op_set_last(Game&, Byte*, const Layout& l, const Word* a) {
  for (Int w = l.words; w-- > 0;)
    if (a[w] != 0) return 64 * w + highest_bit(a[w]);
  return kNone;
}
inline Int op_set_nth(Game&, Byte*, const Layout& l, const Word* a, Int k) {
  return k < 0 ? kNone : select_in_set(l, a, k);
}

// Each class of look-alikes is a run of ids, followed by an unused guard id. Subtracting a run's lowest id from its
// guard borrows up to the lowest card present; bits that stay set above it were not affected by the borrow.
inline void op_set_lookalikes(Game&, Byte*, const Layout& l, const Word* a, Word* out) {
  Word borrow = 0;
  for (Int w = 0; w < l.words; ++w) {
    const Word h = a[w];
    const Word guarded = h | l.lookalike_guards[w];
    const Word less = guarded - l.lookalike_starts[w];
    const Word less_borrow = less - borrow;
    borrow = (guarded < l.lookalike_starts[w]) | (less < borrow);
    // If no two cards look alike, this is the set itself.
    out[w] = (h & ~less_borrow) | (h & (l.lookalike_singles[w] | ~l.all_cards[w]));
  }
}

inline Int op_set_random(Game&, Byte* s, const Layout& l, const Word* a) {
  const Int n = count_set(l, a);
  return n == 0 ? kNone : nth_in_set(l, a, draw_below(chance_stream(s, l), n));
}
inline void op_set_random_n(Game&, Byte* s, const Layout& l, const Word* a, Int n, Word* out) {
  Word rest[kMaxWords];
  copy_words(l, a, rest);
  Int left = count_set(l, rest);
  if (n >= left) {
    copy_words(l, rest, out);
    return;
  }
  for (Int w = 0; w < l.words; ++w) out[w] = 0;
  for (; n > 0; --n, --left) {
    const Int card = nth_in_set(l, rest, draw_below(chance_stream(s, l), left));
    clear_bit(rest, card);
    set_bit(out, card);
  }
}
inline void op_set_select(Game&, Byte*, const Layout& l, Int condition, const Word* yes, const Word* no, Word* out) {
  each_word(l, out, [&](Int w) { return condition ? yes[w] : no[w]; });
}

// Moves every element up by `by` ids. Elements that leave the words are dropped.
inline void op_set_shift(Game&, Byte*, const Layout& l, const Word* a, Int by, Word* out) {
  if (l.words == 1) {
    const Word up = a[0] << (by & 63), down = a[0] >> (-by & 63);
    out[0] = static_cast<Word>(by) + 63 > 126 ? 0 : by >= 0 ? up : down;
    return;
  }
  Word from[kMaxWords];
  copy_words(l, a, from);
  const Int words = by >> 6, bits = by & 63;
  for (Int w = 0; w < l.words; ++w) {
    const Int high = w - words, low = high - 1;
    const Word above = static_cast<Word>(high) < static_cast<Word>(l.words) ? from[high] << bits : 0;
    const Word below = bits != 0 && static_cast<Word>(low) < static_cast<Word>(l.words) ? from[low] >> (64 - bits) : 0;
    out[w] = above | below;
  }
}
// Like op_set_shift for an unknown distance, but without a branch for each word: both sides are padded with zeros.
inline void op_set_shift_by(Game& g, Byte* s, const Layout& l, const Word* a, Int by, Word* out) {
  constexpr Int kFewWords = 34;
  if (l.words == 1 || l.words > kFewWords) return op_set_shift(g, s, l, a, by, out);
  if (CARDWRIGHT_UNLIKELY(by <= -64 * l.words || by >= 64 * l.words)) return op_set_empty(g, s, l, out);
  Word padded[3 * kFewWords + 1];
  for (Int w = 0; w <= l.words; ++w) padded[w] = padded[2 * l.words + w] = 0;
  for (Int w = 0; w < l.words; ++w) padded[l.words + 1 + w] = a[w];
  const Word* const from = padded + l.words + 1 - (by >> 6);
  const Int bits = by & 63;
  for (Int w = 0; w < l.words; ++w) out[w] = from[w] << bits | from[w - 1] >> 1 >> (63 - bits);
}
inline void op_set_table(Game&, Byte*, const Layout& l, const Int* table, Int length, Int i, Word* out) {
  const bool inside = static_cast<Word>(i) < static_cast<Word>(length / l.words);
  each_word(l, out, [&](Int w) { return inside ? static_cast<Word>(table[i * l.words + w]) : 0; });
}

inline void op_set_mapped(Game&, Byte*, const Layout& l, const Word* a, const Int* table, Int length, Word* out) {
  Word all[kMaxWords];
  clear_set(l, all);
  for (Int w = 0; w < l.words; ++w)
    for (Word left = a[w]; left != 0; left &= left - 1)
      if (const Int at = 64 * w + lowest_bit(left); at < length && table[at] >= 0 && table[at] < 64 * l.words)
        set_bit(all, table[at]);
  copy_words(l, all, out);
}

// ---- arrays in registers
inline Trap op_array_get(Game&, Byte*, const Layout&, Int* array, Int length, Int i, Int& out) {
  if (CARDWRIGHT_UNLIKELY(static_cast<Word>(i) >= static_cast<Word>(length))) return Trap::bad_index;
  out = array[i];
  return Trap::none;
}
inline Trap op_sets_within(Game&, Byte*, const Layout& l, Int* list, Int length, const Int* table, Int words,
                           const Word* set) {
  const Int sets = words / l.words;
  if (CARDWRIGHT_UNLIKELY(length <= sets)) return Trap::bad_index;
  Int found = 0;
  for (Int i = 0; i < sets; ++i) {
    Word outside = 0;
    for (Int w = 0; w < l.words; ++w) outside |= static_cast<Word>(table[i * l.words + w]) & ~set[w];
    list[found + 1] = i;   // overwritten by the next index unless `found` is incremented
    found += outside == 0;
  }
  list[0] = found;
  return Trap::none;
}
inline Trap op_array_set(Game&, Byte*, const Layout&, Int* array, Int length, Int i, Int value) {
  if (CARDWRIGHT_UNLIKELY(static_cast<Word>(i) >= static_cast<Word>(length))) return Trap::bad_index;
  array[i] = value;
  return Trap::none;
}

}   // namespace cardwright
