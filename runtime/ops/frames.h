// Implements the stack of suspended functions in the State:
//
//   0      2       4
//   | wait | below | slots: registers saved at that suspend point
//
// `wait` is the suspend point (Program::waits), which also identifies the function; `below` is the distance in bytes
// down to the frame below, 0 for the bottom frame. A frame is as long as its current suspend point needs, and the next
// frame follows directly. Bytes above the top frame are 0, so that equal States have equal bytes.
#pragma once

#include "runtime/ops/sets.h"

namespace cardwright {

inline constexpr Int kFrameHeader = 4;

// Returns the offset of the top frame from the start of the State, or 0 if there is no frame.
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
// Sets the suspend point of the top frame. Clears its bytes from `used` to `size`, which an earlier suspend point may
// have used.
inline void op_frame_at(Game&, Byte* s, const Layout& l, Int wait, Int used, Int size) {
  Byte* const frame = s + top_frame(s, l);
  write(frame, static_cast<std::uint16_t>(wait));
  if (size > used) __builtin_memset(frame + used, 0, static_cast<Word>(size - used));
}
// Pushes a frame. `wait` is the first suspend point of its function. `used` is the size of the frame below, whose
// function waits for the new one.
inline Trap op_frame_push(Game&, Byte* s, const Layout& l, Int, Int wait, Int size, Int used) {
  const Int below = top_frame(s, l);
  const Int at = below == 0 ? l.frames : below + used;
  if (CARDWRIGHT_UNLIKELY(at + size > l.frames_end)) return Trap::too_deep;
  write(s + at, static_cast<std::uint16_t>(wait));
  write(s + at + 2, static_cast<std::uint16_t>(below == 0 ? 0 : used));
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

// Returns the result of the function that has just returned; its caller runs next.
inline Int op_result_int(Game& g, Byte*, const Layout&) { return g.result; }
inline void op_result_set(Game& g, Byte*, const Layout& l, Word* out) { copy_words(l, g.result_set, out); }
inline void op_keep_result(Game& g, Byte*, const Layout&, Int value) { g.result = value; }
inline void op_keep_result_set(Game& g, Byte*, const Layout& l, const Word* set) { copy_words(l, set, g.result_set); }

}   // namespace cardwright
