// Reads and writes variables. The stored value is value - lo + bias; with a bias, 0 means unset and 1 means none.
#pragma once

#include "runtime/ops/sets.h"

namespace cardwright {

inline bool has_index(const VariableSlot& v, Int index) {
  return static_cast<Word>(index) < static_cast<Word>(v.count);
}
inline Byte* variable_at(Byte* s, const VariableSlot& v, Int index) { return s + v.offset + index * v.bytes; }
inline Word encode_value(const VariableSlot& v, Int value) {
  if (value == kUnset) return 0;
  if (value == kNone) return v.bias != 0;
  return static_cast<Word>(value) - static_cast<Word>(v.lo) + static_cast<Word>(v.bias);
}
inline Int decode_value(const VariableSlot& v, Word stored) {
  return static_cast<Int>(stored - static_cast<Word>(v.bias) + static_cast<Word>(v.lo));
}

// States the range of a stored value to the JIT, only for narrow variables, which are often used as counts and indices.
inline void know_range([[maybe_unused]] const VariableSlot& v, [[maybe_unused]] Word stored) {
  if (v.bytes <= 2)
    CARDWRIGHT_KNOWN(stored <= static_cast<Word>(v.hi) - static_cast<Word>(v.lo) + static_cast<Word>(v.bias));
}

inline Int op_load_raw(Game&, Byte* s, const Layout&, const VariableSlot& v, Int index) {
  if (CARDWRIGHT_UNLIKELY(!has_index(v, index))) return kNone;
  const Word stored = read_bytes(variable_at(s, v, index), v.bytes);
  know_range(v, stored);
  return stored < static_cast<Word>(v.bias) ? kNone : decode_value(v, stored);
}
// Reports an invalid index; for the index none, the trap is `unexpected_none`.
inline Trap no_such_index(Game& g, const VariableSlot& v, Int index) {
  return wrong(g, index == kNone ? Trap::unexpected_none : Trap::bad_index, About::variable, v.offset, index);
}

inline Trap op_load(Game& g, Byte* s, const Layout&, const VariableSlot& v, Int index, Int& out) {
  if (CARDWRIGHT_UNLIKELY(!has_index(v, index))) return no_such_index(g, v, index);
  const Word stored = read_bytes(variable_at(s, v, index), v.bytes);
  know_range(v, stored);
  if (CARDWRIGHT_UNLIKELY(stored < static_cast<Word>(v.bias))) {
    if (stored == 0) return wrong(g, Trap::unset, About::variable, v.offset, index);
    out = kNone;
    return Trap::none;
  }
  out = decode_value(v, stored);
  return Trap::none;
}
inline bool fits_variable(const VariableSlot& v, Int value) {
  return static_cast<Word>(value) - static_cast<Word>(v.lo) <= static_cast<Word>(v.hi) - static_cast<Word>(v.lo) ||
         (value == kNone && v.optional);
}
inline Trap op_store(Game& g, Byte* s, const Layout&, const VariableSlot& v, Int index, Int value) {
  if (CARDWRIGHT_UNLIKELY(!has_index(v, index))) return no_such_index(g, v, index);
  if (CARDWRIGHT_UNLIKELY(value < v.lo || value > v.hi)) {
    if (value != kNone) return wrong(g, Trap::out_of_range, About::value, v.offset, index, value);
    if (!v.optional) return wrong(g, Trap::unexpected_none, About::value, v.offset, index, value);
  }
  write_bytes(variable_at(s, v, index), v.bytes, encode_value(v, value));
  return Trap::none;
}
// Traps if a piece does not fit on the board with all its cells.
inline Trap op_fitting(Game& g, Byte*, const Layout&, Int cell, Int fits, const VariableSlot& v, Int index, Int& out) {
  out = cell;
  if (CARDWRIGHT_LIKELY(fits)) return Trap::none;
  return wrong(g, Trap::out_of_range, About::leaving, v.offset, index, cell);
}
inline Int op_load_known(Game& g, Byte* s, const Layout& l, const VariableSlot& v, Int index) {
  return op_load_raw(g, s, l, v, index);
}
inline void op_store_known(Game&, Byte* s, const Layout&, const VariableSlot& v, Int index, Int value) {
  CARDWRIGHT_KNOWN((value >= v.lo && value <= v.hi) || (value == kNone && v.optional));
  if (CARDWRIGHT_LIKELY(has_index(v, index))) write_bytes(variable_at(s, v, index), v.bytes, encode_value(v, value));
}
// Returns a mask of the bytes that equal `value`, and compares all eight at once.
inline Word equal_bytes(Word bytes, Word value) {
  const Word differ = bytes ^ value * kEachByte;
  return gather_high_bits(~(((differ & ~kHighBits) + ~kHighBits) | differ));
}
#ifdef __clang__   // for the JIT: one comparison, and one instruction that gathers the results
inline Word equal_sixteen(const Byte* at, Word value) {
  typedef unsigned char Bytes __attribute__((ext_vector_type(16)));
  typedef bool Marks __attribute__((ext_vector_type(16)));
  Bytes bytes;
  __builtin_memcpy(&bytes, at, sizeof bytes);
  const Marks marks = __builtin_convertvector(bytes == Bytes(static_cast<unsigned char>(value)), Marks);
  unsigned short mask;
  __builtin_memcpy(&mask, &marks, sizeof mask);
  return mask;
}
#else
inline Word equal_sixteen(const Byte* at, Word value) {
  return equal_bytes(read<Word>(at), value) | equal_bytes(read<Word>(at + 8), value) << 8;
}
#endif
inline Int op_holders(Game&, Byte* s, const Layout&, const VariableSlot& v, Int value) {
  const Word stored = encode_value(v, value);
  // No instance can contain a value outside the range.
  if (v.is_set || (value == kNone ? v.bias == 0 : value < v.lo || value > v.hi)) return 0;
  Word mask = 0;
  // Few values are compared one by one, because a wide load of a byte just written would stall.
  constexpr Int kFew = 3;
  // Reading beyond the variable stays inside the State, because the streams follow all variables.
  if (v.bytes == 1 && v.count > kFew) {
    const Int count = v.count < 64 ? v.count : 64;
    for (Int i = 0; i < count; i += 16)
      mask |=
          (count - i > 8 ? equal_sixteen(s + v.offset + i, stored) : equal_bytes(read<Word>(s + v.offset + i), stored))
          << i;
    return static_cast<Int>(count == 64 ? mask : mask & ((Word{1} << count) - 1));
  }
  for (Int i = 0; i < v.count && i < 64; ++i) mask |= Word{read_bytes(variable_at(s, v, i), v.bytes) == stored} << i;
  return static_cast<Int>(mask);
}
inline void op_clear(Game&, Byte* s, const Layout& l, const VariableSlot& v) {
  if (v.is_set) {
    for (Int i = 0; i < v.count * l.words; ++i) write(s + v.offset + 8 * i, Word{0});
    return;
  }
  const Word stored = encode_value(v, v.initial);
  for (Int i = 0; i < v.count; ++i) write_bytes(variable_at(s, v, i), v.bytes, stored);
}
inline Trap op_load_set(Game& g, Byte* s, const Layout& l, const VariableSlot& v, Int index, Word* out) {
  if (CARDWRIGHT_UNLIKELY(!has_index(v, index))) return no_such_index(g, v, index);
  const Byte* at = s + v.offset + index * 8 * l.words;
  each_word(l, out, [&](Int w) { return read<Word>(at + 8 * w); });
  return Trap::none;
}
inline Trap op_store_set(Game& g, Byte* s, const Layout& l, const VariableSlot& v, Int index, const Word* set) {
  if (CARDWRIGHT_UNLIKELY(!has_index(v, index))) return no_such_index(g, v, index);
  Byte* at = s + v.offset + index * 8 * l.words;
  for (Int w = 0; w < l.words; ++w) write(at + 8 * w, set[w]);
  return Trap::none;
}

// ---- pools: one count for each constant of an enum
inline Int op_pool_mask(Game&, Byte* s, const Layout&, const VariableSlot& v) {
  Word mask = 0;
  for (Int i = 0; i < v.count && i < 64; ++i) mask |= Word{read_bytes(variable_at(s, v, i), v.bytes) != 0} << i;
  return static_cast<Int>(mask);
}
inline Trap op_pool_take(Game& g, Byte* s, const Layout&, const VariableSlot& v, Int constant) {
  if (CARDWRIGHT_UNLIKELY(!has_index(v, constant))) return wrong(g, Trap::pool_empty, About::pool, v.offset, constant);
  const Word left = read_bytes(variable_at(s, v, constant), v.bytes);
  if (CARDWRIGHT_UNLIKELY(left == 0)) return wrong(g, Trap::pool_empty, About::pool, v.offset, constant);
  write_bytes(variable_at(s, v, constant), v.bytes, left - 1);
  return Trap::none;
}
inline Trap op_pool_deal(Game& g, Byte* s, const Layout& l, const VariableSlot& v, Int or_none, Int& out) {
  Int total = 0;
  for (Int i = 0; i < v.count; ++i) total += static_cast<Int>(read_bytes(variable_at(s, v, i), v.bytes));
  out = kNone;
  if (total == 0) return or_none ? Trap::none : wrong(g, Trap::pool_empty, About::pool, v.offset, kNone);
  Int k = draw_below(chance_stream(s, l), total);
  for (Int i = 0; i < v.count; ++i) {
    k -= static_cast<Int>(read_bytes(variable_at(s, v, i), v.bytes));
    if (k >= 0) continue;
    out = i;
    return op_pool_take(g, s, l, v, i);
  }
  return Trap::fell_through;
}

}   // namespace cardwright
