#include "compiler/lower/code/limits.h"

#include <algorithm>

namespace cardwright::lower {

void too_large(ProgramContext& unit, Range where, std::string what) {
  if (!unit.too_large) unit.diagnostics.report("game_too_large"_code, where, std::move(what));
  unit.too_large = true;
}

Int product(Int a, Int b) {
  Int out = 0;
  return __builtin_mul_overflow(a, b, &out) ? kUnlimited : std::min(out, kUnlimited);
}

}   // namespace cardwright::lower
