// Computes operations on numbers that are known before the game.
#include "compiler/sema/options/arithmetic.h"

#include "compiler/analysis/constants.h"

namespace cardwright::sema {

// Computes an operation as in a game, and records a trap for the error message. A number that is too large becomes
// `unlimited` in a game, but it is an error before the game.
std::optional<Int> compute(SemaContext& sema, ExprKind kind, Int a, Int b, Range range) {
  analysis::Result result = analysis::arithmetic(kind, a, b);
  const bool finite = analysis::is_finite(a) && analysis::is_finite(b);
  if (result.good() && finite && !analysis::is_finite(result.value)) result.trap = Trap::overflow;
  if (result.good()) return result.value;
  if (!sema.evaluation.trapped) sema.evaluation.trapped = {result.trap, range};
  return std::nullopt;
}

std::string_view trap_message(Trap trap) {
  switch (trap) {
    case Trap::divided_by_zero: return "division by zero";
    case Trap::out_of_range: return "number is out of its declared range";
    case Trap::none_in_arithmetic: return "arithmetic on `none`";
    default: return "number is too large";
  }
}

}   // namespace cardwright::sema
