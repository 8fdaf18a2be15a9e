// A trap, and what it is about. That is told on the way out by a function apart, so until then it costs nothing.
#pragma once

#include "runtime/ops/sinks.h"

namespace cardwright {

inline Trap wrong(Game& g, Trap trap, About about, Int a = 0, Int b = 0, Int c = 0) {
  cardwright_tell_wrong(&g, about, a, b, c);
  return trap;
}
inline Trap none_among(Game& g, Int a, Int b) { return wrong(g, Trap::none_in_arithmetic, About::operands, a, b); }

}   // namespace cardwright
