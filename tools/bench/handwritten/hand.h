// Contains common parts of the handwritten games: random streams as in runtime/ops/random.h, and bit sets.
#pragma once

#include <cstdint>
#include <immintrin.h>

#define HAND_INLINE [[gnu::always_inline]] inline

namespace handwritten {

using Word = std::uint64_t;
__extension__ typedef unsigned __int128 DoubleWord;

inline constexpr Word kGamma = 0x9e3779b97f4a7c15u;

HAND_INLINE Word mix(Word z) {
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

// Returns a uniform random number in [0, n) for n > 0. If n is 1, the stream does not change.
HAND_INLINE unsigned below(Word& stream, unsigned n) {
  const Word after = stream + kGamma;
  stream = n > 1 ? after : stream;
  DoubleWord product = static_cast<DoubleWord>(mix(after)) * n;
  if (__builtin_expect(static_cast<Word>(product) < n, 0)) {
    const Word reject = -Word{n} % n;
    while (static_cast<Word>(product) < reject) product = static_cast<DoubleWord>(mix(stream += kGamma)) * n;
  }
  return static_cast<unsigned>(product >> 64);
}

// Initializes the table's random stream, followed by one stream per player.
HAND_INLINE void key_streams(Word* streams, int players, Word seed, Word game) {
  const Word key = mix(mix(seed + kGamma) ^ (game + 1) * 0xd1342543de82ef95u);
  for (int purpose = 0; purpose <= players; ++purpose)
    streams[purpose] = mix(key + static_cast<Word>(purpose + 1) * 0x9fb21c651e98df25u);
}

HAND_INLINE unsigned count(Word set) { return static_cast<unsigned>(__builtin_popcountll(set)); }
HAND_INLINE unsigned lowest(Word set) { return static_cast<unsigned>(__builtin_ctzll(set)); }
HAND_INLINE Word bit(unsigned i) { return Word{1} << i; }
#ifdef __BMI2__
HAND_INLINE Word nth_bit(Word set, unsigned k) { return _pdep_u64(Word{1} << k, set); }   // as a set with one element
#else
HAND_INLINE Word nth_bit(Word set, unsigned k) {
  while (k-- > 0) set &= set - 1;
  return set & -set;
}
#endif

}   // namespace handwritten
