// Implements lists whose elements are sets or lists, which take several ints each. In registers, [0] is the number of
// ints that follow.
#pragma once

#include "runtime/ops/lists.h"

namespace cardwright {

// In the State, the highest bit of a set's last word marks the set as present. No card or cell has this bit
// (number_cards in compiler/lower/layout/layout.cpp).
inline constexpr Word kPresent = Word{1} << 63;

inline bool same_item(const Int* a, const Int* b, Int each) {
  bool same = true;
  for (Int i = 0; i < each && same; ++i) same = a[i] == b[i];
  return same;
}
// Returns the position of the first equal element, or the end of the list.
inline Int find_item(const Int* list, Int room, const Int* item, Int each) {
  const Int n = entries(list, room);
  Int at = 1;
  while (at + each <= n + 1 && !same_item(list + at, item, each)) at += each;
  return at;
}
inline Trap add_item(Game& g, Int* list, Int room, const Int* item, Int each) {
  const Int n = entries(list, room);
  if (CARDWRIGHT_UNLIKELY(each < 1 || n + each >= room))
    return wrong(g, Trap::list_full, About::room, each < 1 ? 0 : (room - 1) / each);
  for (Int i = 0; i < each; ++i) list[n + 1 + i] = item[i];
  list[0] = n + each;
  return Trap::none;
}
inline Trap drop_item(Int* list, Int room, const Int* item, Int each) {
  const Int n = entries(list, room), at = find_item(list, room, item, each);
  if (each < 1 || at + each > n + 1) return Trap::none;
  for (Int i = at; i + each <= n; ++i) list[i] = list[i + each];
  for (Int i = n - each + 1; i <= n; ++i) list[i] = 0;
  list[0] = n - each;
  return Trap::none;
}
inline bool has_item(const Int* list, Int room, Int index, Int each) {
  return each > 0 && static_cast<Word>(index) < static_cast<Word>(entries(list, room) / each);
}
inline Trap put_item(Game& g, Int* list, Int room, Int index, const Int* item, Int each) {
  if (CARDWRIGHT_UNLIKELY(!has_item(list, room, index, each)))
    return wrong(g, Trap::bad_index, About::place, index, each < 1 ? 0 : entries(list, room) / each);
  for (Int i = 0; i < each; ++i) list[1 + index * each + i] = item[i];
  return Trap::none;
}
inline void item_at(const Int* list, Int room, Int index, Int* item, Int each) {
  const bool there = has_item(list, room, index, each);
  for (Int i = 0; i < each; ++i) item[i] = there ? list[1 + index * each + i] : 0;
}
inline const Int* as_item(const Word* set) { return reinterpret_cast<const Int*>(set); }

inline Trap op_list_add_set(Game& g, Byte*, const Layout& l, Int* list, Int room, const Word* set) {
  return add_item(g, list, room, as_item(set), l.words);
}
inline Trap op_list_drop_set(Game&, Byte*, const Layout& l, Int* list, Int room, const Word* set) {
  return drop_item(list, room, as_item(set), l.words);
}
inline Trap op_list_put_set(Game& g, Byte*, const Layout& l, Int* list, Int room, Int index, const Word* set) {
  return put_item(g, list, room, index, as_item(set), l.words);
}
inline Trap op_list_has_set(Game&, Byte*, const Layout& l, Int* list, Int room, const Word* set, Int& out) {
  out = find_item(list, room, as_item(set), l.words) <= entries(list, room);
  return Trap::none;
}
inline Trap op_list_set_at(Game&, Byte*, const Layout& l, Int* list, Int room, Int index, Word* out) {
  item_at(list, room, index, reinterpret_cast<Int*>(out), l.words);
  return Trap::none;
}
inline Trap op_list_add_list(Game& g, Byte*, const Layout&, Int* list, Int room, Int* item, Int each) {
  return add_item(g, list, room, item, each);
}
inline Trap op_list_drop_list(Game&, Byte*, const Layout&, Int* list, Int room, Int* item, Int each) {
  return drop_item(list, room, item, each);
}
inline Trap op_list_put_list(Game& g, Byte*, const Layout&, Int* list, Int room, Int index, Int* item, Int each) {
  return put_item(g, list, room, index, item, each);
}
inline Trap op_list_has_list(Game&, Byte*, const Layout&, Int* list, Int room, Int* item, Int each, Int& out) {
  out = find_item(list, room, item, each) <= entries(list, room);
  return Trap::none;
}
inline Trap op_list_list_at(Game&, Byte*, const Layout&, Int* to, Int each, Int* list, Int room, Int index) {
  item_at(list, room, index, to, each);
  return Trap::none;
}

inline Trap op_list_load_sets(Game& g, Byte* s, const Layout& l, Int* list, Int length, const VariableSlot& v,
                              Int index, Int most) {
  if (CARDWRIGHT_UNLIKELY(!has_list(v, index, most) || most * l.words >= length))
    return no_such_list(g, v, index, most);
  Int n = 0;
  for (const Byte* at = s + v.offset + index * most * 8 * l.words; n < most * l.words;
       at += 8 * l.words, n += l.words) {
    if ((read<Word>(at + 8 * (l.words - 1)) & kPresent) == 0) break;
    for (Int w = 0; w < l.words; ++w) list[1 + n + w] = static_cast<Int>(read<Word>(at + 8 * w));
    list[n + l.words] = static_cast<Int>(static_cast<Word>(list[n + l.words]) & ~kPresent);
  }
  list[0] = n;
  for (Int i = n + 1; i < length; ++i) list[i] = 0;
  return Trap::none;
}
inline Trap op_list_store_sets(Game& g, Byte* s, const Layout& l, Int* list, Int room, const VariableSlot& v, Int index,
                               Int most) {
  if (CARDWRIGHT_UNLIKELY(!has_list(v, index, most))) return no_such_list(g, v, index, most);
  const Int n = entries(list, room);
  if (CARDWRIGHT_UNLIKELY(n > most * l.words)) return too_long_for(g, v, index * most, n / l.words);
  Byte* const at = s + v.offset + index * most * 8 * l.words;
  for (Int i = 0; i < most * l.words; ++i) {
    const Word there = i < n && (i + 1) % l.words == 0 ? kPresent : 0;
    write(at + 8 * i, i < n ? static_cast<Word>(list[i + 1]) | there : Word{0});
  }
  return Trap::none;
}
// An inner list is stored as a presence mark, which has the encoding of `none`, followed by the elements.
inline Trap op_list_load_lists(Game& g, Byte* s, const Layout&, Int* list, Int length, const VariableSlot& v, Int index,
                               Int most, Int inner) {
  const Int each = inner + 1, all = most * each;
  if (CARDWRIGHT_UNLIKELY(!has_list(v, index, all) || all >= length)) return no_such_list(g, v, index, all);
  for (Int i = 0; i < length; ++i) list[i] = 0;
  for (Int row = 0; row < all && read_bytes(variable_at(s, v, index * all + row), v.bytes) != 0; row += each) {
    for (Int k = 1; k <= inner; ++k) {
      const Word stored = read_bytes(variable_at(s, v, index * all + row + k), v.bytes);
      if (stored == 0) break;
      list[1 + row + k] = stored == 1 ? kNone : decode_value(v, stored);
      list[1 + row] = k;
    }
    list[0] = row + each;
  }
  return Trap::none;
}
inline Trap op_list_store_lists(Game& g, Byte* s, const Layout& l, Int* list, Int room, const VariableSlot& v,
                                Int index, Int most, Int inner) {
  const Int each = inner + 1, all = most * each;
  if (CARDWRIGHT_UNLIKELY(!has_list(v, index, all))) return no_such_list(g, v, index, all);
  const Int n = entries(list, room);
  if (CARDWRIGHT_UNLIKELY(n > all)) return too_long_for(g, v, index * all, n / each);
  for (Int row = 0; row < all; row += each) {
    const bool there = row + each <= n;
    write_bytes(variable_at(s, v, index * all + row), v.bytes, there);
    for (Int k = 1; k <= inner; ++k) {
      const Int at = index * all + row + k;
      if (!there || k > list[1 + row])
        write_bytes(variable_at(s, v, at), v.bytes, 0);
      else if (const Trap trap = op_store(g, s, l, v, at, list[1 + row + k]); trap != Trap::none)
        return trap;
    }
  }
  return Trap::none;
}

}   // namespace cardwright
