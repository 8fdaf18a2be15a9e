// Reports a trap together with its subject. A separate cold function records the subject, so the normal path costs
// nothing.
#pragma once

#include "runtime/ops/sinks.h"

namespace cardwright {

inline Trap wrong(Game& g, Trap trap, About about, Int a = 0, Int b = 0, Int c = 0) {
  cardwright_describe_trap(&g, about, a, b, c);
  return trap;
}
inline Trap none_among(Game& g, Int a, Int b) { return wrong(g, Trap::none_in_arithmetic, About::operands, a, b); }

}   // namespace cardwright
