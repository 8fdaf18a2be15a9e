// Implements BLAKE2b with 128-bit output (RFC 7693).
#include "support/digest.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace cardwright {

namespace {

using Word = std::uint64_t;
constexpr std::size_t kBlock = 128;
constexpr Word kStart[8] = {0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
                            0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};
constexpr std::uint8_t kOrder[10][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4}, {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13}, {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11}, {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5}, {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0}};

void mix(Word& a, Word& b, Word& c, Word& d, Word x, Word y) {
  a += b + x;
  d = std::rotr(d ^ a, 32);
  c += d;
  b = std::rotr(b ^ c, 24);
  a += b + y;
  d = std::rotr(d ^ a, 16);
  c += d;
  b = std::rotr(b ^ c, 63);
}

// `so_far` is the number of bytes up to the end of this block.
void compress(Word (&h)[8], const char* block, Word so_far, bool last) {
  Word m[16], v[16];
  std::memcpy(m, block, sizeof m);   // little-endian, as on all supported machines
  std::copy(h, h + 8, v);
  std::copy(kStart, kStart + 8, v + 8);
  v[12] ^= so_far;
  if (last) v[14] = ~v[14];
  for (int round = 0; round < 12; ++round) {
    const std::uint8_t* s = kOrder[round % 10];
    for (int i = 0; i < 4; ++i) mix(v[i], v[4 + i], v[8 + i], v[12 + i], m[s[2 * i]], m[s[2 * i + 1]]);
    for (int i = 0; i < 4; ++i)
      mix(v[i], v[4 + (i + 1) % 4], v[8 + (i + 2) % 4], v[12 + (i + 3) % 4], m[s[8 + 2 * i]], m[s[9 + 2 * i]]);
  }
  for (int i = 0; i < 8; ++i) h[i] ^= v[i] ^ v[8 + i];
}

}   // namespace

Digest digest_of(std::string_view bytes) {
  Word h[8];
  std::copy(kStart, kStart + 8, h);
  h[0] ^= 0x01010000 ^ sizeof(Digest);
  std::size_t at = 0;
  for (; bytes.size() - at > kBlock; at += kBlock) compress(h, bytes.data() + at, at + kBlock, false);
  char rest[kBlock] = {};
  if (at < bytes.size()) std::memcpy(rest, bytes.data() + at, bytes.size() - at);
  compress(h, rest, bytes.size(), true);
  Digest out;
  std::memcpy(out.data(), h, out.size());
  return out;
}

std::string hex(const Digest& digest) {
  std::string text;
  for (const std::uint8_t byte : digest)
    for (const int half : {byte >> 4, byte & 15}) text += "0123456789abcdef"[half];
  return text;
}

}   // namespace cardwright
