// Implements the queue of `afterwards`, a ring buffer in the State. The entry popped last stays readable until the next
// pop, so one entry of the ring is always unused. An entry has a 2-byte block number, the int arguments and the set
// arguments.
#pragma once

#include "runtime/ops/sets.h"

namespace cardwright {

inline Byte* queue_entry(Byte* s, const Layout& l, Int position) {
  return s + l.queue + 8 + position % l.queue_length * l.queue_entry;
}
inline Byte* newest_in_queue(Byte* s, const Layout& l) {
  return queue_entry(s, l, s[l.queue] + s[l.queue + 1] + l.queue_length - 1);
}
inline Byte* current_in_queue(Byte* s, const Layout& l) { return queue_entry(s, l, s[l.queue] + l.queue_length - 1); }
inline Int queue_entry_bytes(const Layout& l) { return 2 + l.queue_bytes * l.queue_ints + 8 * l.words * l.queue_sets; }
inline Byte* queue_int_at(Byte* entry, const Layout& l, Int k) { return entry + 2 + l.queue_bytes * k; }
inline Byte* queue_set_at(Byte* entry, const Layout& l, Int k) {
  return queue_int_at(entry, l, l.queue_ints) + 8 * l.words * k;
}
inline Int queue_block(const Byte* entry) { return read<std::uint16_t>(entry); }

inline Trap op_queue_push(Game& g, Byte* s, const Layout& l, Int block) {
  if (CARDWRIGHT_UNLIKELY(s[l.queue + 1] + 1 >= l.queue_length))
    return wrong(g, Trap::queue_full, About::limit, l.queue_length - 1);
  ++s[l.queue + 1];
  Byte* entry = newest_in_queue(s, l);
  __builtin_memset(entry, 0, static_cast<Word>(l.queue_entry));
  write(entry, static_cast<std::uint16_t>(block));
  return Trap::none;
}
inline void op_queue_int(Game&, Byte* s, const Layout& l, Int k, Int value) {
  write_signed(queue_int_at(newest_in_queue(s, l), l, k), l.queue_bytes, value);
}
inline void op_queue_set(Game&, Byte* s, const Layout& l, Int k, const Word* set) {
  Byte* at = queue_set_at(newest_in_queue(s, l), l, k);
  for (Int w = 0; w < l.words; ++w) write(at + 8 * w, set[w]);
}
inline Int op_queue_pop(Game&, Byte* s, const Layout& l) {
  if (l.queue_length == 0 || s[l.queue + 1] == 0) return kNone;
  const Int head = s[l.queue];
  s[l.queue] = static_cast<Byte>((head + 1) % l.queue_length);
  --s[l.queue + 1];
  return queue_block(queue_entry(s, l, head));
}
inline Int op_queue_get(Game&, Byte* s, const Layout& l, Int k) {
  return read_signed(queue_int_at(current_in_queue(s, l), l, k), l.queue_bytes);
}
inline void op_queue_get_set(Game&, Byte* s, const Layout& l, Int k, Word* out) {
  const Byte* at = queue_set_at(current_in_queue(s, l), l, k);
  for (Int w = 0; w < l.words; ++w) out[w] = read<Word>(at + 8 * w);
}

}   // namespace cardwright
