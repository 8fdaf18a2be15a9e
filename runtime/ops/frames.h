// The stack of suspended functions, in the State:
//
//   0      2       4
//   | wait | below | slots: what is kept at that suspend point
//
// `wait` is the suspend point (Program::waits), which also says of which function the frame is; `below` how many bytes
// further down the frame below begins, 0 if there is none. A frame is as long as what it keeps where it waits, and the
// next begins there. Bytes above the top frame are 0, so that equal States are equal bytes.
#pragma once

#include "runtime/ops/sets.h"

namespace cardwright {

inline constexpr Int kFrameHeader = 4;

// from the State's start; 0: none
inline Int top_frame(const Byte* s, const Layout& l) { return read<std::uint32_t>(s + l.stack_top); }
inline void set_top_frame(Byte* s, const Layout& l, Int top) {
  write(s + l.stack_top, static_cast<std::uint32_t>(top));
}
inline Int frame_wait(const Byte* s, Int frame) { return read<std::uint16_t>(s + frame); }
inline Int frame_below(const Byte* s, Int frame) {
  const Int distance = read<std::uint16_t>(s + frame + 2);
  return distance == 0 ? 0 : frame - distance;
}

inline Int op_frame_resume(Game&, Byte* s, const Layout& l) { return frame_wait(s, top_frame(s, l)); }
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
// What it kept elsewhere, beyond what it keeps here, is cleared.
inline void op_frame_at(Game&, Byte* s, const Layout& l, Int wait, Int kept, Int size) {
  Byte* const frame = s + top_frame(s, l);
  write(frame, static_cast<std::uint16_t>(wait));
  if (size > kept) __builtin_memset(frame + kept, 0, static_cast<Word>(size - kept));
}
// `wait`: where the function begins. `kept`: by the frame below, which waits for it.
inline Trap op_frame_push(Game&, Byte* s, const Layout& l, Int, Int wait, Int size, Int kept) {
  const Int below = top_frame(s, l);
  const Int at = below == 0 ? l.frames : below + kept;
  if (CARDWRIGHT_UNLIKELY(at + size > l.frames_end)) return Trap::too_deep;
  write(s + at, static_cast<std::uint16_t>(wait));
  write(s + at + 2, static_cast<std::uint16_t>(below == 0 ? 0 : kept));
  set_top_frame(s, l, at);
  return Trap::none;
}
inline void op_frame_arg(Game& g, Byte* s, const Layout& l, Int offset, Int bytes, Int value) {
  op_frame_keep(g, s, l, offset, bytes, value);
}
inline void op_frame_arg_set(Game& g, Byte* s, const Layout& l, Int offset, const Word* set) {
  op_frame_keep_set(g, s, l, offset, set);
}
inline void op_frame_pop(Game&, Byte* s, const Layout& l, Int size) {
  const Int top = top_frame(s, l), below = frame_below(s, top);
  __builtin_memset(s + top, 0, static_cast<Word>(size));
  set_top_frame(s, l, below);
}

// From the function that returns to the one that waits for it, which runs next.
inline Int op_result_int(Game& g, Byte*, const Layout&) { return g.result; }
inline void op_result_set(Game& g, Byte*, const Layout& l, Word* out) { copy_words(l, g.result_set, out); }
inline void op_keep_result(Game& g, Byte*, const Layout&, Int value) { g.result = value; }
inline void op_keep_result_set(Game& g, Byte*, const Layout& l, const Word* set) { copy_words(l, set, g.result_set); }

}   // namespace cardwright
