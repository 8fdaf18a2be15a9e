// Hashes of bytes, the same on every machine: of States, and what a game adds to a run's digest. They are inlined: after a game of
// few decisions they are most of what is left to do.
#pragma once

#include "runtime/ops/memory.h"
#include "runtime/ops/random.h"

namespace cardwright {

inline Word multiply_and_fold(Word a, Word b) {
  const DoubleWord product = static_cast<DoubleWord>(a) * b;
  return static_cast<Word>(product) ^ static_cast<Word>(product >> 64);
}

// The last bytes, fewer than a Word, of which none lies beyond the end; 0 where there are none.
inline Word last_bytes(const Byte* from, Int count, Int rest) {
  if (rest == 0) return 0;
  if (CARDWRIGHT_LIKELY(count >= 8)) return read<Word>(from + count - 8) >> (64 - 8 * rest);
  Word word = 0;
  for (Int i = rest; i-- > 0;) word = word << 8 | from[count - rest + i];
  return word;
}

// Two lanes of multiply and fold, as in wyhash. Little-endian reads, so equal on every machine we build for.
inline Word hash_bytes(const Byte* from, Int count, Word seed = 0) {
  constexpr Word kA = 0xa0761d6478bd642fu, kB = 0xe7037ed1a0b428dbu, kC = 0x8ebc6af09c88c6e3u;
  Word one = seed ^ kA, two = seed ^ kB;
  Int at = 0;
  for (; at + 32 <= count; at += 32) {
    one = multiply_and_fold(read<Word>(from + at) ^ kA, read<Word>(from + at + 8) ^ one);
    two = multiply_and_fold(read<Word>(from + at + 16) ^ kB, read<Word>(from + at + 24) ^ two);
  }
  const Int whole = (count - at) / 8;
  const Word last = last_bytes(from, count, (count - at) % 8);
  const auto word = [&](Int i) { return i < whole ? read<Word>(from + at + 8 * i) : i == whole ? last : 0; };
  one = multiply_and_fold(word(0) ^ kA, word(1) ^ one);
  two = multiply_and_fold(word(2) ^ kB, word(3) ^ two);
  return multiply_and_fold(one ^ kC, two ^ static_cast<Word>(count) ^ kB);
}

inline Word state_hash(const Layout& l, const Byte* s) { return hash_bytes(s, l.rules_end); }   // of the rules state
inline Word whole_state_hash(const Layout& l, const Byte* s) { return hash_bytes(s, l.size); }
// What one game adds to a run's digest.
inline Word digest_of(Word game_index, Word rules_hash, Word winners) {
  const Word words[3] = {game_index, rules_hash, winners};
  return hash_bytes(reinterpret_cast<const Byte*>(words), sizeof words);
}

}  // namespace cardwright
