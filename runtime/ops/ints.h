// Implements integer arithmetic. If an operand is none, the operation traps. Values from 2^40 on are unlimited: a sum
// with an unlimited operand is unlimited, and so is a product, unless the other operand is 0. Division rounds toward
// zero.
#pragma once

#include "runtime/ops/memory.h"
#include "runtime/ops/wrong.h"

namespace cardwright {

inline bool is_finite(Int a) { return static_cast<Word>(a) + (kUnlimited - 1) < 2 * static_cast<Word>(kUnlimited) - 1; }
inline Int saturate(Int a) { return a >= kUnlimited ? kUnlimited : a <= -kUnlimited ? -kUnlimited : a; }
inline Int unlimited_with_sign(bool negative) { return negative ? -kUnlimited : kUnlimited; }

inline Trap op_add(Game& g, Byte*, const Layout&, Int a, Int b, Int& out) {
  if (CARDWRIGHT_LIKELY(is_finite(a) && is_finite(b))) {
    out = saturate(a + b);
    return Trap::none;
  }
  if (a == kNone || b == kNone) return none_among(g, a, b);
  out = unlimited_with_sign(is_finite(a) ? b < 0 : a < 0);
  return Trap::none;
}

inline Trap op_sub(Game& g, Byte*, const Layout&, Int a, Int b, Int& out) {
  if (CARDWRIGHT_LIKELY(is_finite(a) && is_finite(b))) {
    out = saturate(a - b);
    return Trap::none;
  }
  if (a == kNone || b == kNone) return none_among(g, a, b);
  out = unlimited_with_sign(is_finite(a) ? b > 0 : a < 0);
  return Trap::none;
}

inline Trap op_mul(Game& g, Byte*, const Layout&, Int a, Int b, Int& out) {
  if (a == kNone || b == kNone) return none_among(g, a, b);
  if (CARDWRIGHT_UNLIKELY(!is_finite(a) || !is_finite(b))) {
    out = a == 0 || b == 0 ? 0 : unlimited_with_sign((a < 0) != (b < 0));
    return Trap::none;
  }
  Int product;
  if (__builtin_mul_overflow(a, b, &product)) return wrong(g, Trap::overflow, About::operands, a, b);
  out = saturate(product);
  return Trap::none;
}

inline Trap op_div(Game& g, Byte*, const Layout&, Int a, Int b, Int& out) {
  if (a == kNone || b == kNone) return none_among(g, a, b);
  if (b == 0) return wrong(g, Trap::divided_by_zero, About::operands, a, b);
  if (CARDWRIGHT_UNLIKELY(!is_finite(a) || !is_finite(b))) {
    out = is_finite(a) ? 0 : unlimited_with_sign((a < 0) != (b < 0));
    return Trap::none;
  }
  out = a / b;   // rounds toward zero
  return Trap::none;
}

inline Trap op_mod(Game& g, Byte*, const Layout&, Int a, Int b, Int& out) {
  if (a == kNone || b == kNone) return none_among(g, a, b);
  if (b == 0) return wrong(g, Trap::divided_by_zero, About::operands, a, b);
  if (CARDWRIGHT_UNLIKELY(!is_finite(a) || !is_finite(b))) {
    out = !is_finite(a) ? 0 : a >= 0 ? a : kUnlimited;
    return Trap::none;
  }
  const Int rest = a % b;   // the result is in [0, |b|)
  out = rest >= 0 ? rest : rest + (b > 0 ? b : -b);
  return Trap::none;
}

// Computes an integer power; 0 for a negative exponent. With an exponent above 63, the result overflows, unless the
// base is -1, 0 or 1.
inline Trap op_power(Game& g, Byte* s, const Layout& l, Int a, Int b, Int& out) {
  if (b == kNone) return none_among(g, a, b);
  out = b < 0 ? 0 : 1;
  for (Int left = b <= 64 ? b : 64 + b % 2; left > 0; --left)
    if (const Trap trap = op_mul(g, s, l, out, a, out); trap != Trap::none)
      return wrong(g, trap, About::operands, a, b);
  return Trap::none;
}

inline Trap op_neg(Game& g, Byte*, const Layout&, Int a, Int& out) {
  if (a == kNone) return none_among(g, a, a);
  out = -a;
  return Trap::none;
}
inline Trap op_abs(Game& g, Byte*, const Layout&, Int a, Int& out) {
  if (a == kNone) return none_among(g, a, a);
  out = a < 0 ? -a : a;
  return Trap::none;
}

inline Int op_min(Game&, Byte*, const Layout&, Int a, Int b) { return a < b ? a : b; }
inline Int op_max(Game&, Byte*, const Layout&, Int a, Int b) { return a > b ? a : b; }
inline Int op_eq(Game&, Byte*, const Layout&, Int a, Int b) { return a == b; }
inline Int op_ne(Game&, Byte*, const Layout&, Int a, Int b) { return a != b; }

inline Trap op_lt(Game& g, Byte*, const Layout&, Int a, Int b, Int& out) {
  if (CARDWRIGHT_UNLIKELY(a == kNone || b == kNone)) return none_among(g, a, b);
  out = a < b;
  return Trap::none;
}
inline Trap op_le(Game& g, Byte*, const Layout&, Int a, Int b, Int& out) {
  if (CARDWRIGHT_UNLIKELY(a == kNone || b == kNone)) return none_among(g, a, b);
  out = a <= b;
  return Trap::none;
}

inline Int op_not_(Game&, Byte*, const Layout&, Int a) { return a == 0; }
inline Int op_and_(Game&, Byte*, const Layout&, Int a, Int b) { return a & b; }
inline Int op_or_(Game&, Byte*, const Layout&, Int a, Int b) { return a | b; }
inline Int op_select(Game&, Byte*, const Layout&, Int condition, Int yes, Int no) { return condition ? yes : no; }

// ---- arithmetic on counts and indices created by the compiler, which wraps on overflow
inline Int op_add_small(Game&, Byte*, const Layout&, Int a, Int b) {
  return static_cast<Int>(static_cast<Word>(a) + static_cast<Word>(b));
}
inline Int op_sub_small(Game&, Byte*, const Layout&, Int a, Int b) {
  return static_cast<Int>(static_cast<Word>(a) - static_cast<Word>(b));
}
inline Int op_mul_small(Game&, Byte*, const Layout&, Int a, Int b) {
  return static_cast<Int>(static_cast<Word>(a) * static_cast<Word>(b));
}
inline Int op_div_small(Game&, Byte*, const Layout&, Int a, Int b) { return b > 0 ? a / b : 0; }
inline Int op_mod_small(Game&, Byte*, const Layout&, Int a, Int b) { return b > 0 ? a % b : 0; }
inline Int op_lt_small(Game&, Byte*, const Layout&, Int a, Int b) { return a < b; }
inline Int op_le_small(Game&, Byte*, const Layout&, Int a, Int b) { return a <= b; }

inline Trap op_table(Game&, Byte*, const Layout&, const Int* table, Int length, Int i, Int& out) {
  if (i == kNone) {
    out = kNone;
    return Trap::none;
  }
  if (CARDWRIGHT_UNLIKELY(static_cast<Word>(i) >= static_cast<Word>(length))) return Trap::bad_index;
  out = table[i];
  return Trap::none;
}
inline Trap op_place_in(Game& g, Byte*, const Layout&, Int i, Int first, Int count, Int& out) {
  out = static_cast<Int>(static_cast<Word>(i) - static_cast<Word>(first));
  if (CARDWRIGHT_LIKELY(static_cast<Word>(out) < static_cast<Word>(count))) return Trap::none;
  return wrong(g, i == kNone ? Trap::unexpected_none : Trap::bad_index, About::entry, i, first, count);
}
// `text` is the index of the message in Module::texts of Program::playout. In the message, the number replaces `{}`.
inline Trap op_in_range(Game& g, Byte*, const Layout&, Int i, Int least, Int most, Int text, Int& out) {
  out = i;
  if (CARDWRIGHT_LIKELY((i >= least && i <= most) || i == kNone)) return Trap::none;
  return wrong(g, Trap::out_of_range, About::declared, text, i);
}
inline Int op_table_known(Game&, Byte*, const Layout&, const Int* table, Int length, Int i) {
  CARDWRIGHT_KNOWN(static_cast<Word>(i) < static_cast<Word>(length));
  return CARDWRIGHT_LIKELY(static_cast<Word>(i) < static_cast<Word>(length)) ? table[i] : kNone;
}
inline Int op_table_small(Game&, Byte*, const Layout&, const Int* table, Int length, Int i) {
  return CARDWRIGHT_LIKELY(static_cast<Word>(i) < static_cast<Word>(length)) ? table[i] : kNone;
}

}   // namespace cardwright
