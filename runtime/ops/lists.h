// Lists. In registers an array: [0] is how many there are, the elements follow. In the State the `most` values of a variable
// from the list's first on; those beyond its end are unset, so that equal lists are equal bytes.
#pragma once

#include "runtime/ops/variables.h"

namespace cardwright {

inline Trap op_list_load(Game&, Byte* s, const Layout&, Int* list, Int length, const VariableSlot& v, Int index, Int most) {
  if (CARDWRIGHT_UNLIKELY(!has_index(v, index * most) || most >= length)) return Trap::bad_index;
  Int n = 0;
  for (; n < most; ++n) {
    const Word stored = read_bytes(variable_at(s, v, index * most + n), v.bytes);
    if (stored == 0) break;
    list[n + 1] = stored == 1 ? kNone : decode_value(v, stored);
  }
  list[0] = n;
  for (Int i = n + 1; i < length; ++i) list[i] = 0;
  return Trap::none;
}
inline Trap op_list_store(Game& g, Byte* s, const Layout& l, Int* list, Int, const VariableSlot& v, Int index, Int most) {
  if (CARDWRIGHT_UNLIKELY(!has_index(v, index * most))) return Trap::bad_index;
  if (CARDWRIGHT_UNLIKELY(list[0] > most)) return Trap::out_of_range;
  for (Int i = 0; i < list[0]; ++i)
    if (const Trap trap = op_store(g, s, l, v, index * most + i, list[i + 1]); trap != Trap::none) return trap;
  for (Int i = list[0]; i < most; ++i) write_bytes(variable_at(s, v, index * most + i), v.bytes, 0);
  return Trap::none;
}

inline Trap op_list_copy(Game&, Byte*, const Layout&, Int* to, Int room, Int* from, Int) {
  if (CARDWRIGHT_UNLIKELY(from[0] >= room)) return Trap::out_of_range;
  const Int n = from[0];
  for (Int i = 0; i <= n; ++i) to[i] = from[i];
  for (Int i = n + 1; i < room; ++i) to[i] = 0;
  return Trap::none;
}
inline Trap op_list_add(Game&, Byte*, const Layout&, Int* list, Int length, Int value) {
  if (CARDWRIGHT_UNLIKELY(list[0] + 1 >= length)) return Trap::out_of_range;
  list[++list[0]] = value;
  return Trap::none;
}
// Takes out the first that is equal.
inline Trap op_list_drop(Game&, Byte*, const Layout&, Int* list, Int, Int value) {
  Int at = 1;
  while (at <= list[0] && list[at] != value) ++at;
  if (at > list[0]) return Trap::none;
  for (; at < list[0]; ++at) list[at] = list[at + 1];
  list[list[0]--] = 0;
  return Trap::none;
}
inline Trap op_list_put(Game&, Byte*, const Layout&, Int* list, Int, Int at, Int value) {
  if (CARDWRIGHT_UNLIKELY(static_cast<Word>(at) >= static_cast<Word>(list[0]))) return Trap::bad_index;
  list[at + 1] = value;
  return Trap::none;
}
inline Trap op_list_has(Game&, Byte*, const Layout&, Int* list, Int, Int value, Int& out) {
  out = 0;
  for (Int i = 1; i <= list[0]; ++i) out |= list[i] == value;
  return Trap::none;
}
inline Trap op_list_equal(Game&, Byte*, const Layout&, Int* a, Int, Int* b, Int, Int& out) {
  out = a[0] == b[0];
  for (Int i = 1; i <= a[0] && out; ++i) out = a[i] == b[i];
  return Trap::none;
}

}  // namespace cardwright
