// The stack of suspended functions, in the State:
//
//   0      2        4                8
//   | func | resume | frame below    | slots
//
// Offsets are from the State's start; 0 is no frame. Bytes above the top frame are 0, so that equal States are equal bytes.
#pragma once

#include "runtime/ops/sets.h"

namespace cardwright {

inline Int top_frame(const Byte* s, const Layout& l) { return read<std::uint32_t>(s + l.stack_top); }
inline Int frames_used_to(const Byte* s, const Layout& l) { return read<std::uint32_t>(s + l.stack_top + 4); }
inline void set_top_frame(Byte* s, const Layout& l, Int top, Int end) {
  write(s + l.stack_top, static_cast<std::uint32_t>(top));
  write(s + l.stack_top + 4, static_cast<std::uint32_t>(end));
}
inline Int frame_function(const Byte* s, Int frame) { return read<std::uint16_t>(s + frame); }
inline Int frame_resume_point(const Byte* s, Int frame) { return read<std::uint16_t>(s + frame + 2); }
inline Int frame_below(const Byte* s, Int frame) { return read<std::uint32_t>(s + frame + 4); }

inline Int op_frame_resume(Game&, Byte* s, const Layout& l) { return frame_resume_point(s, top_frame(s, l)); }
inline Int op_frame_int(Game&, Byte* s, const Layout& l, Int offset, Int bytes) {
  return read_signed(s + top_frame(s, l) + offset, bytes);
}
inline void op_frame_set(Game&, Byte* s, const Layout& l, Int offset, Word* out) {
  const Byte* at = s + top_frame(s, l) + offset;
  for (Int w = 0; w < l.words; ++w) out[w] = read<Word>(at + 8 * w);
}
inline void op_frame_keep(Game&, Byte* s, const Layout& l, Int offset, Int bytes, Int value) {
  write_signed(s + top_frame(s, l) + offset, bytes, value);
}
inline void op_frame_keep_set(Game&, Byte* s, const Layout& l, Int offset, const Word* set) {
  Byte* at = s + top_frame(s, l) + offset;
  for (Int w = 0; w < l.words; ++w) write(at + 8 * w, set[w]);
}
inline void op_frame_at(Game&, Byte* s, const Layout& l, Int point) {
  write(s + top_frame(s, l) + 2, static_cast<std::uint16_t>(point));
}
inline Trap op_frame_push(Game&, Byte* s, const Layout& l, Int function, Int size) {
  const Int below = top_frame(s, l);
  const Int at = below == 0 ? l.frames : frames_used_to(s, l);
  if (CARDWRIGHT_UNLIKELY(at + size > l.frames_end)) return Trap::too_deep;
  write(s + at, static_cast<std::uint16_t>(function));
  write(s + at + 2, std::uint16_t{0});
  write(s + at + 4, static_cast<std::uint32_t>(below));
  set_top_frame(s, l, at, at + size);
  return Trap::none;
}
inline void op_frame_arg(Game& g, Byte* s, const Layout& l, Int offset, Int bytes, Int value) {
  op_frame_keep(g, s, l, offset, bytes, value);
}
inline void op_frame_arg_set(Game& g, Byte* s, const Layout& l, Int offset, const Word* set) {
  op_frame_keep_set(g, s, l, offset, set);
}
inline void op_frame_pop(Game&, Byte* s, const Layout& l) {
  const Int top = top_frame(s, l), end = frames_used_to(s, l);
  const Int below = frame_below(s, top);
  __builtin_memset(s + top, 0, static_cast<Word>(end - top));
  set_top_frame(s, l, below, below == 0 ? 0 : top);
}

inline Int op_result_int(Game&, Byte* s, const Layout& l) { return read<Int>(s + l.result); }
inline void op_result_set(Game&, Byte* s, const Layout& l, Word* out) {
  for (Int w = 0; w < l.words; ++w) out[w] = read<Word>(s + l.result + 8 + 8 * w);
}
inline void op_keep_result(Game&, Byte* s, const Layout& l, Int value) { write(s + l.result, value); }
inline void op_keep_result_set(Game&, Byte* s, const Layout& l, const Word* set) {
  for (Int w = 0; w < l.words; ++w) write(s + l.result + 8 + 8 * w, set[w]);
}

}  // namespace cardwright
