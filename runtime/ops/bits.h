// Counts and finds bits in sets of one or several words.
#pragma once

#include "runtime/ops/memory.h"

namespace cardwright {

inline Int count_bits(Word x) {
#if defined(__clang__) || defined(__POPCNT__)
  return __builtin_popcountll(x);
#else   // for the baseline CPU, gcc calls a library function, which takes twice as long
  x -= x >> 1 & 0x5555555555555555u;
  x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
  x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
  return static_cast<Int>(x * 0x0101010101010101u >> 56);
#endif
}
inline Int lowest_bit(Word x) { return __builtin_ctzll(x); }
inline Int highest_bit(Word x) { return 63 - __builtin_clzll(x); }

// Returns the index of the k-th lowest bit of x, k < count_bits(x). Prefix sums find the byte that contains the bit;
// then the byte is searched.
inline Int select_bit_portably(Word x, Int k) {
  Word sums = x - (x >> 1 & 0x5555555555555555u);
  sums = (sums & 0x3333333333333333u) + (sums >> 2 & 0x3333333333333333u);
  sums = ((sums + (sums >> 4)) & 0x0f0f0f0f0f0f0f0fu) * 0x0101010101010101u;   // byte i: bits in bytes 0 … i
  // Bytes whose sum is at most k are entirely below the bit.
  const Word k8 = static_cast<Word>(k) * 0x0101010101010101u;
  const Word before = ((k8 | 0x8080808080808080u) - sums) & 0x8080808080808080u;
  const Int shift = count_bits(before) * 8 & 63;
  Word rest = x >> shift & 0xff;
  for (Int skip = k - static_cast<Int>(sums << 8 >> shift & 0xff); skip > 0; --skip) rest &= rest - 1;
  return shift + (rest != 0 ? lowest_bit(rest) : 0);
}

// Gathers the bits of x selected by `which` into the lowest bits.
inline Word gather_bits_portably(Word x, Word which) {
  Word bits = 0;
  for (Int i = 0; which != 0; which &= which - 1, ++i) bits |= (x >> lowest_bit(which) & 1) << i;
  return bits;
}

// Expands each of the lowest eight bits into a byte with the value 0 or 1.
constexpr Word kEachByte = 0x0101010101010101u, kHighBits = 0x8080808080808080u;
inline Word spread_bits_portably(Word bits) {
  return (((bits & 0xff) * kEachByte & 0x8040201008040201u) + ~kHighBits) >> 7 & kEachByte;
}
// Gathers the high bit of each byte into the lowest eight bits.
inline Word gather_high_bits_portably(Word bytes) { return ((bytes >> 7 & kEachByte) * 0x0102040810204080u) >> 56; }

#ifdef CARDWRIGHT_BITCODE   // the JIT replaces these functions with CPU instructions where available
extern "C" [[gnu::noinline, gnu::const]] inline Int cardwright_select_bit(Word x, Int k) {
  return select_bit_portably(x, k);
}
extern "C" [[gnu::noinline, gnu::const]] inline Word cardwright_gather_bits(Word x, Word which) {
  return gather_bits_portably(x, which);
}
extern "C" [[gnu::noinline, gnu::const]] inline Word cardwright_spread_bits(Word bits) {
  return spread_bits_portably(bits);
}
extern "C" [[gnu::noinline, gnu::const]] inline Word cardwright_gather_high_bits(Word bytes) {
  return gather_high_bits_portably(bytes);
}
inline Int select_bit(Word x, Int k) { return cardwright_select_bit(x, k); }
inline Word gather_bits(Word x, Word which) { return cardwright_gather_bits(x, which); }
inline Word spread_bits(Word bits) { return cardwright_spread_bits(bits); }
inline Word gather_high_bits(Word bytes) { return cardwright_gather_high_bits(bytes); }
#else
inline Int select_bit(Word x, Int k) { return select_bit_portably(x, k); }
inline Word gather_bits(Word x, Word which) { return gather_bits_portably(x, which); }
inline Word spread_bits(Word bits) { return spread_bits_portably(bits); }
inline Word gather_high_bits(Word bytes) { return gather_high_bits_portably(bytes); }
#endif

inline bool has_bit(const Word* set, Int bit) { return set[bit >> 6] >> (bit & 63) & 1; }
inline void set_bit(Word* set, Int bit) { set[bit >> 6] |= Word{1} << (bit & 63); }
inline void clear_set(const Layout& l, Word* set) {
  for (Int w = 0; w < l.words; ++w) set[w] = 0;
}
inline void clear_bit(Word* set, Int bit) { set[bit >> 6] &= ~(Word{1} << (bit & 63)); }

inline Int count_set(const Layout& l, const Word* set) {
  Int n = 0;
  for (Int w = 0; w < l.words; ++w) n += count_bits(set[w]);
  return n;
}
inline bool any_in_set(const Layout& l, const Word* set) {
  Word all = 0;
  for (Int w = 0; w < l.words; ++w) all |= set[w];
  return all != 0;
}
// Returns the k-th lowest element, k < count. For two words, a branch would be unpredictable, so the word is selected
// without one.
inline Int nth_in_set(const Layout& l, const Word* set, Int k) {
  if (l.words == 2) {
    const Int low = count_bits(set[0]);
    const bool high = k >= low;
    return 64 * Int{high} + select_bit(high ? set[1] : set[0], high ? k - low : k);
  }
  for (Int w = 0; w + 1 < l.words; ++w) {
    const Int n = count_bits(set[w]);
    if (k < n) return 64 * w + select_bit(set[w], k);
    k -= n;
  }
  return 64 * (l.words - 1) + select_bit(set[l.words - 1], k);
}
// Returns the same as nth_in_set, or none if there are not enough elements.
inline Int select_in_set(const Layout& l, const Word* set, Int k) {
  return k < count_set(l, set) ? nth_in_set(l, set, k) : kNone;
}
inline bool is_card(const Layout& l, Int card) { return static_cast<Word>(card) < static_cast<Word>(l.card_ids); }

}   // namespace cardwright
