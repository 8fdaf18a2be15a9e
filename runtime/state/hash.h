// Implements hash functions over bytes, with the same result on every machine: for States, and for the part that each
// game contributes to the digest of a run. They are inline, because in games with few decisions, hashing dominates the
// work after each game.
#pragma once

#include "runtime/ops/memory.h"
#include "runtime/ops/random.h"

namespace cardwright {

inline Word multiply_and_fold(Word a, Word b) {
  const DoubleWord product = static_cast<DoubleWord>(a) * b;
  return static_cast<Word>(product) ^ static_cast<Word>(product >> 64);
}

// Hashes the Words returned by `word` with two lanes of multiply and fold, as in wyhash: first `blocks` blocks of four
// Words, then a last block padded with zeros. Reads are little-endian on every supported machine.
template <class Read>
[[gnu::always_inline]] inline Word hash_words(Int blocks, Int count, Word seed, const Read& word) {
  constexpr Word kA = 0xa0761d6478bd642fu, kB = 0xe7037ed1a0b428dbu, kC = 0x8ebc6af09c88c6e3u;
  Word one = seed ^ kA, two = seed ^ kB;
  for (Int block = 0; block <= blocks; ++block) {
    one = multiply_and_fold(word(4 * block) ^ kA, word(4 * block + 1) ^ one);
    two = multiply_and_fold(word(4 * block + 2) ^ kB, word(4 * block + 3) ^ two);
  }
  return multiply_and_fold(one ^ kC, two ^ static_cast<Word>(count) ^ kB);
}

inline Word hash_bytes(const Byte* from, Int count, Word seed = 0) {
  const Int whole = count / 8;
  Word last = 0;
  __builtin_memcpy(&last, from + 8 * whole, static_cast<std::size_t>(count % 8));
  return hash_words(count / 32, count, seed, [&](Int i) {
    return i < whole ? read<Word>(from + 8 * i) : i == whole ? last : 0;
  });
}

// Like hash_bytes() for a fixed number of Words, the last of which may be partial, so that all sizes are compile-time
// constants.
template <Int kWords, bool kWhole>
inline Word hash_short(const Byte* from, Int count) {
  return hash_words((kWhole ? kWords : kWords - 1) / 4, count, 0, [&](Int i) {
    if (i >= kWords) return Word{0};
    return kWhole || i < kWords - 1 ? read<Word>(from + 8 * i)
                                    : read<Word>(from + count - 8) >> (64 * kWords - 8 * count);
  });
}

// Returns the hash of the rules state.
inline Word state_hash(const Layout& l, const Byte* s) { return hash_bytes(s, l.rules_end); }
inline Word whole_state_hash(const Layout& l, const Byte* s) { return hash_bytes(s, l.size); }
// Returns the contribution of one game to a run's digest.
inline Word digest_of(Word game_index, Word rules_hash, Word winners) {
  const Word words[4] = {game_index, rules_hash, winners, 0};
  return hash_words(0, 24, 0, [&](Int i) { return words[i]; });
}

}   // namespace cardwright
