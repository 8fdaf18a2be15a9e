// Reads and writes the State's bytes. The layout aligns every field, but this code does not rely on it.
#pragma once

#include "runtime/ops/game.h"

namespace cardwright {

#define CARDWRIGHT_LIKELY(x) __builtin_expect(!!(x), 1)
#define CARDWRIGHT_UNLIKELY(x) __builtin_expect(!!(x), 0)

// States a fact about an undamaged State (checked by find_damage), so that the JIT can omit checks. The condition must
// not contain calls, because clang ignores assumptions with calls.
#ifdef CARDWRIGHT_BITCODE
#define CARDWRIGHT_KNOWN(x) __builtin_assume(x)
#else
#define CARDWRIGHT_KNOWN(x) static_cast<void>(0)
#endif

template <class T>
inline T read(const Byte* at) {
  T value;
  __builtin_memcpy(&value, at, sizeof value);
  return value;
}
template <class T>
inline void write(Byte* at, T value) {
  __builtin_memcpy(at, &value, sizeof value);
}

inline Word read_bytes(const Byte* at, Int bytes) {
  switch (bytes) {
    case 1: return *at;
    case 2: return read<std::uint16_t>(at);
    case 4: return read<std::uint32_t>(at);
    default: return read<Word>(at);
  }
}
inline void write_bytes(Byte* at, Int bytes, Word value) {
  switch (bytes) {
    case 1: *at = static_cast<Byte>(value); break;
    case 2: write(at, static_cast<std::uint16_t>(value)); break;
    case 4: write(at, static_cast<std::uint32_t>(value)); break;
    default: write(at, value); break;
  }
}

// Narrow slots in frames represent none by the least value of their width.
inline Int read_signed(const Byte* at, Int bytes) {
  switch (bytes) {
    case 1: {
      const auto v = static_cast<std::int8_t>(*at);
      return v == INT8_MIN ? kNone : v;
    }
    case 2: {
      const auto v = read<std::int16_t>(at);
      return v == INT16_MIN ? kNone : v;
    }
    case 4: {
      const auto v = read<std::int32_t>(at);
      return v == INT32_MIN ? kNone : v;
    }
    default: return read<Int>(at);
  }
}
inline void write_signed(Byte* at, Int bytes, Int value) {
  const bool none = value == kNone;
  switch (bytes) {
    case 1: write(at, none ? std::int8_t{INT8_MIN} : static_cast<std::int8_t>(value)); break;
    case 2: write(at, none ? std::int16_t{INT16_MIN} : static_cast<std::int16_t>(value)); break;
    case 4: write(at, none ? std::int32_t{INT32_MIN} : static_cast<std::int32_t>(value)); break;
    default: write(at, value); break;
  }
}

}   // namespace cardwright
