// Implements random streams: SplitMix64 counters in the State, and unbiased bounded draws (Lemire's multiply and
// reject).
#pragma once

#include "runtime/ops/memory.h"

namespace cardwright {

__extension__ typedef unsigned __int128 DoubleWord;
inline constexpr Word kGoldenGamma = 0x9e3779b97f4a7c15u;

inline Word mix_word(Word z) {
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

inline Word next_word(Byte* stream) {
  const Word state = read<Word>(stream) + kGoldenGamma;
  write(stream, state);
  return mix_word(state);
}

// Returns a uniform number in [0, n), n > 0. For n = 1 the result is always 0 and the stream does not advance; this is
// computed without an unpredictable branch.
inline Int draw_below(Byte* stream, Int n) {
  const Word bound = static_cast<Word>(n), before = read<Word>(stream), after = before + kGoldenGamma;
  write(stream, n > 1 ? after : before);
  DoubleWord product = static_cast<DoubleWord>(mix_word(after)) * bound;
  if (CARDWRIGHT_UNLIKELY(static_cast<Word>(product) < bound)) {
    const Word reject = -bound % bound;
    while (static_cast<Word>(product) < reject) product = static_cast<DoubleWord>(next_word(stream)) * bound;
  }
  const Int drawn = static_cast<Int>(product >> 64);
  CARDWRIGHT_KNOWN(n <= 0 || static_cast<Word>(drawn) < bound);
  return drawn;
}

inline Byte* chance_stream(Byte* s, const Layout& l) { return s + l.streams; }
inline Byte* policy_stream(Byte* s, const Layout& l, Int player) { return s + l.streams + 8 + 8 * player; }
inline Byte* latency_stream(Byte* s, const Layout& l, Int player) {
  return s + l.streams + 8 + 8 * (l.players + player);
}
inline Int stream_count(const Layout& l) { return 1 + l.players * (1 + l.races); }
// Returns the address of the precomputed next draw of the player's latency stream, which games with races store after
// the streams. The draw is valid if the stream state stored with it matches.
inline Byte* latency_ahead(Byte* s, const Layout& l, Int player) {
  return s + l.streams + 8 * (1 + 2 * l.players + 2 * player);
}
inline Int stream_bytes(const Layout& l) { return 8 * (stream_count(l) + 2 * l.players * l.races); }

// Returns the part of the key that all games of a run share.
inline Word run_key(Word seed) { return mix_word(seed + kGoldenGamma); }
// Resets all streams. Their keys depend on the run, the game and the purpose of the stream.
inline void key_streams(const Layout& l, Byte* s, Word run, Word game_index) {
  const Word game = mix_word(run ^ (game_index + 1) * 0xd1342543de82ef95u);
  for (Int purpose = 0; purpose < stream_count(l); ++purpose)
    write(s + l.streams + 8 * purpose, mix_word(game + static_cast<Word>(purpose + 1) * 0x9fb21c651e98df25u));
}

}   // namespace cardwright
