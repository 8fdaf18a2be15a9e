// Draws reaction times from a player's latency stream, in microseconds. Each operation takes at most one draw and uses
// only integers.
#pragma once

#include "runtime/ops/quantiles.h"
#include "runtime/ops/random.h"

namespace cardwright {

inline constexpr Int kLongestLatency = Int{1} << 40;

inline Int clamp_latency(Int x) { return x < 0 ? 0 : x > kLongestLatency ? kLongestLatency : x; }

inline constexpr Int kMostNormal = kNormalQuantile[1024];
static_assert(kNormalQuantile[0] == -kMostNormal);

// Returns a standard normal number times 2^20, interpolated linearly between 1,025 quantiles.
inline Int normal_of(Word u) {
  const Word knot = u >> 54;
  const Int part = static_cast<Int>(u >> 22 & 0xffffffffu), low = kNormalQuantile[knot],
            high = kNormalQuantile[knot + 1];
  return low + ((high - low) * part >> 32);
}
// Computes the next number in advance, so that the current draw need not wait for this slow computation.
inline void look_ahead(Byte* s, const Layout& l, Int player) {
  const Word state = read<Word>(latency_stream(s, l, player));
  write(latency_ahead(s, l, player), state);
  write(latency_ahead(s, l, player) + 8, normal_of(mix_word(state + kGoldenGamma)));
}
inline Int draw_normal(Byte* s, const Layout& l, Int player) {
  Byte* const stream = latency_stream(s, l, player);
  const Word state = read<Word>(stream);
  Int drawn = read<Int>(latency_ahead(s, l, player) + 8);
  if (CARDWRIGHT_UNLIKELY(read<Word>(latency_ahead(s, l, player)) != state))
    drawn = normal_of(mix_word(state + kGoldenGamma));
  write(stream, state + kGoldenGamma);
  look_ahead(s, l, player);
  CARDWRIGHT_KNOWN(drawn >= -kMostNormal && drawn <= kMostNormal);
  return drawn;
}

inline bool draws_latency(const Layout& l, Int player) {
  return l.races != 0 && static_cast<Word>(player) < static_cast<Word>(l.players);
}

inline Int op_latency_uniform(Game&, Byte* s, const Layout& l, Int player, Int a, Int b) {
  a = clamp_latency(a);
  b = clamp_latency(b);
  if (!draws_latency(l, player) || b <= a) return a;
  const Int drawn = a + draw_below(latency_stream(s, l, player), b - a + 1);
  look_ahead(s, l, player);
  return drawn;
}

// Draws a lognormal number: median * exp(percent / 100 * z) = median * 2^(percent * z / (100 ln 2)).
inline Int op_latency_spread(Game&, Byte* s, const Layout& l, Int player, Int median, Int percent) {
  median = clamp_latency(median);
  percent = percent < 0 ? 0 : percent > 1000 ? 1000 : percent;
  if (!draws_latency(l, player)) return median;
  constexpr Int kPerLn2 = 61963285;   // 2^32 / (100 ln 2)
  const Int exponent = draw_normal(s, l, player) * percent * kPerLn2 >> 20;   // the exponent times 2^32
  const Int whole = exponent >> 32;
  const Word fraction = static_cast<Word>(exponent) & 0xffffffffu, knot = fraction >> 22;
  const Word low = kPowerOfTwo[knot], high = kPowerOfTwo[knot + 1];
  const Word factor = low + ((high - low) * (fraction & 0x3fffff) >> 22);
  const Int shift = 30 - whole;
  constexpr Int kUsual = Int{1} << 32;   // about one hour: below it, the product fits in one word
  if (CARDWRIGHT_LIKELY(median < kUsual && shift >= 0 && shift < 64))
    return clamp_latency(static_cast<Int>(static_cast<Word>(median) * factor >> shift));
  const DoubleWord scaled = static_cast<DoubleWord>(static_cast<Word>(median)) * factor;
  if (shift < 0) return kLongestLatency;
  return shift > 120 ? 0
                     : clamp_latency(static_cast<Int>(scaled >> shift > static_cast<DoubleWord>(kLongestLatency)
                                                          ? static_cast<DoubleWord>(kLongestLatency)
                                                          : scaled >> shift));
}

inline Int op_latency_normal(Game&, Byte* s, const Layout& l, Int player, Int mean, Int deviation) {
  mean = clamp_latency(mean);
  deviation = clamp_latency(deviation);
  if (!draws_latency(l, player)) return mean;
  return clamp_latency(mean + static_cast<Int>(static_cast<__int128>(draw_normal(s, l, player)) * deviation >> 20));
}

// Converts a duration to a player's speed: at half the speed it takes twice as long. The default speed is 1024 and
// needs no division.
inline Int op_at_speed(Game&, Byte*, const Layout&, Int duration, Int speed, Int factor) {
  duration = clamp_latency(duration);
  const Int each = CARDWRIGHT_LIKELY(speed == 1024) ? duration : duration * 1024 / (speed > 0 ? speed : 1);
  return static_cast<Int>(static_cast<Word>(each) * static_cast<Word>(factor));   // the factor is 1 to 1000 in games
}

}   // namespace cardwright
