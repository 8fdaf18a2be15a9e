// Implements lists. In registers, a list is an array: [0] is the number of elements, and the elements follow. In the
// State, a list takes `most` consecutive values of a variable; values beyond its end are unset, so that equal lists
// have equal bytes.
#pragma once

#include "runtime/ops/ints.h"
#include "runtime/ops/variables.h"

namespace cardwright {

// Returns the length, limited to the array's capacity in case [0] is invalid.
inline Int entries(const Int* list, Int room) {
  return list[0] < 0 || room < 1 ? 0 : list[0] < room ? list[0] : room - 1;
}
inline bool has_list(const VariableSlot& v, Int index, Int most) {
  return most > 0 && static_cast<Word>(index) < static_cast<Word>(v.count / most);
}

// Reports an invalid list index. Each list of the variable has `most` values.
inline Trap no_such_list(Game& g, const VariableSlot& v, Int index, Int most) {
  return no_such_index(g, v, index == kNone ? kNone : index * most);
}
inline Trap too_long_for(Game& g, const VariableSlot& v, Int index, Int length) {
  return wrong(g, Trap::list_full, About::length, v.offset, index, length);
}

inline Trap op_each_in_range(Game& g, Byte* s, const Layout& l, Int* list, Int room, Int least, Int most, Int text) {
  for (Int i = 1, n = entries(list, room); i <= n; ++i)
    if (const Trap trap = op_in_range(g, s, l, list[i], least, most, text, list[i]); trap != Trap::none) return trap;
  return Trap::none;
}

inline Trap op_list_load(Game& g, Byte* s, const Layout&, Int* list, Int length, const VariableSlot& v, Int index,
                         Int most) {
  if (CARDWRIGHT_UNLIKELY(!has_list(v, index, most) || most >= length)) return no_such_list(g, v, index, most);
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
inline Trap op_list_store(Game& g, Byte* s, const Layout& l, Int* list, Int room, const VariableSlot& v, Int index,
                          Int most) {
  if (CARDWRIGHT_UNLIKELY(!has_list(v, index, most))) return no_such_list(g, v, index, most);
  const Int n = entries(list, room);
  if (CARDWRIGHT_UNLIKELY(n > most)) return too_long_for(g, v, index * most, n);
  bool fits = true;
  for (Int i = 0; i < n; ++i) fits &= fits_variable(v, list[i + 1]);
  if (CARDWRIGHT_LIKELY(fits)) {
    for (Int i = 0; i < n; ++i) write_bytes(variable_at(s, v, index * most + i), v.bytes, encode_value(v, list[i + 1]));
  } else {
    for (Int i = 0; i < n; ++i)
      if (const Trap trap = op_store(g, s, l, v, index * most + i, list[i + 1]); trap != Trap::none) return trap;
  }
  for (Int i = n; i < most; ++i) write_bytes(variable_at(s, v, index * most + i), v.bytes, 0);
  return Trap::none;
}
inline Trap op_list_at(Game& g, Byte* s, const Layout&, const VariableSlot& v, Int index, Int at, Int most, Int& out) {
  if (at == kNone) return none_among(g, at, at);
  if (CARDWRIGHT_UNLIKELY(!has_list(v, index, most))) return no_such_list(g, v, index, most);
  if (CARDWRIGHT_UNLIKELY(static_cast<Word>(at) >= static_cast<Word>(most)))
    return wrong(g, Trap::bad_index, About::element, v.offset, index * most, at);
  const Word stored = read_bytes(variable_at(s, v, index * most + at), v.bytes);
  if (CARDWRIGHT_UNLIKELY(stored == 0)) return wrong(g, Trap::bad_index, About::element, v.offset, index * most, at);
  out = stored == 1 ? kNone : decode_value(v, stored);
  return Trap::none;
}
inline Trap op_list_length(Game& g, Byte* s, const Layout&, const VariableSlot& v, Int index, Int most, Int& out) {
  if (CARDWRIGHT_UNLIKELY(!has_list(v, index, most))) return no_such_list(g, v, index, most);
  out = 0;
  while (out < most && read_bytes(variable_at(s, v, index * most + out), v.bytes) != 0) ++out;
  return Trap::none;
}

inline Trap op_list_copy(Game&, Byte*, const Layout&, Int* to, Int room, Int* from, Int room_of_from) {
  const Int n = entries(from, room_of_from);
  if (CARDWRIGHT_UNLIKELY(n >= room)) return Trap::list_full;
  to[0] = n;
  for (Int i = 1; i <= n; ++i) to[i] = from[i];
  for (Int i = n + 1; i < room; ++i) to[i] = 0;
  return Trap::none;
}
inline Trap op_list_add(Game& g, Byte*, const Layout&, Int* list, Int room, Int value) {
  const Int n = entries(list, room);
  if (CARDWRIGHT_UNLIKELY(n + 1 >= room)) return wrong(g, Trap::list_full, About::room, room - 1);
  list[n + 1] = value;
  list[0] = n + 1;
  return Trap::none;
}
// Removes the first equal element.
inline Trap op_list_drop(Game&, Byte*, const Layout&, Int* list, Int room, Int value) {
  const Int n = entries(list, room);
  Int at = 1;
  while (at <= n && list[at] != value) ++at;
  if (at > n) return Trap::none;
  for (; at < n; ++at) list[at] = list[at + 1];
  list[n] = 0;
  list[0] = n - 1;
  return Trap::none;
}
inline Trap op_list_put(Game& g, Byte*, const Layout&, Int* list, Int room, Int at, Int value) {
  if (CARDWRIGHT_UNLIKELY(static_cast<Word>(at) >= static_cast<Word>(entries(list, room))))
    return wrong(g, Trap::bad_index, About::place, at, entries(list, room));
  list[at + 1] = value;
  return Trap::none;
}
inline Trap op_list_has(Game&, Byte*, const Layout&, Int* list, Int room, Int value, Int& out) {
  out = 0;
  for (Int i = 1, n = entries(list, room); i <= n; ++i) out |= list[i] == value;
  return Trap::none;
}
// ---- tables: consecutive values of a variable, one for each key
inline bool has_table(const VariableSlot& v, Int first, Int count) {
  return count > 0 && first >= 0 && first % count == 0 && first <= v.count - count;
}
inline Trap op_table_load(Game& g, Byte* s, const Layout& l, Int* list, Int length, const VariableSlot& v, Int first,
                          Int count) {
  if (CARDWRIGHT_UNLIKELY(!has_table(v, first, count) || count >= length)) return no_such_index(g, v, first);
  for (Int i = 0; i < count; ++i)
    if (const Trap trap = op_load(g, s, l, v, first + i, list[i + 1]); trap != Trap::none) return trap;
  list[0] = count;
  return Trap::none;
}
inline Trap op_table_load_sets(Game& g, Byte* s, const Layout& l, Int* list, Int length, const VariableSlot& v,
                               Int first, Int count) {
  if (CARDWRIGHT_UNLIKELY(!has_table(v, first, count) || count * l.words >= length)) return no_such_index(g, v, first);
  for (Int i = 0; i < count * l.words; ++i)
    list[i + 1] = static_cast<Int>(read<Word>(s + v.offset + (first * l.words + i) * 8));
  list[0] = count * l.words;
  return Trap::none;
}
inline Trap op_table_store_sets(Game& g, Byte* s, const Layout& l, Int* list, Int length, const VariableSlot& v,
                                Int first, Int count) {
  if (CARDWRIGHT_UNLIKELY(!has_table(v, first, count) || count * l.words >= length)) return no_such_index(g, v, first);
  for (Int i = 0; i < count * l.words; ++i)
    write(s + v.offset + (first * l.words + i) * 8, static_cast<Word>(list[i + 1]));
  return Trap::none;
}

// ---- comparison, and subsets as ascending numbers from 1 to n
inline Trap op_first_subset(Game&, Byte*, const Layout&, Int* list, Int room, Int k) {
  if (CARDWRIGHT_UNLIKELY(k < 0 || k >= room)) return Trap::out_of_range;
  list[0] = k;
  for (Int i = 1; i <= k; ++i) list[i] = i;
  return Trap::none;
}
inline Trap op_next_subset(Game&, Byte*, const Layout&, Int* list, Int room, Int n) {
  const Int k = entries(list, room);
  Int i = n < k ? 0 : k;
  while (i > 0 && list[i] >= n - k + i) --i;   // skips positions that already have their largest value
  if (i == 0)
    list[0] = -1;
  else
    ++list[i];
  for (Int j = i + 1; i > 0 && j <= k; ++j) list[j] = list[j - 1] + 1;
  return Trap::none;
}
inline Trap op_list_equal(Game&, Byte*, const Layout&, Int* a, Int room_of_a, Int* b, Int room_of_b, Int& out) {
  const Int n = entries(a, room_of_a);
  out = n == entries(b, room_of_b);
  for (Int i = 1; i <= n && out; ++i) out = a[i] == b[i];
  return Trap::none;
}

}   // namespace cardwright
