// Evaluates constant arithmetic with the functions of runtime/ops.
#include "compiler/analysis/constants.h"

#include "runtime/ops/ints.h"

namespace cardwright::analysis {

namespace {

// The operations of runtime/ops require a Game, but arithmetic does not read it.
thread_local Game no_game;
const Layout no_layout{};

using MayTrap = Trap (*)(Game&, Byte*, const Layout&, Int, Int, Int&);
using MayTrapOfOne = Trap (*)(Game&, Byte*, const Layout&, Int, Int&);
using Sure = Int (*)(Game&, Byte*, const Layout&, Int, Int);

Result call(MayTrap operation, Int a, Int b) {
  Result result;
  result.trap = operation(no_game, nullptr, no_layout, a, b, result.value);
  return result;
}
Result call(MayTrapOfOne operation, Int a, Int) {
  Result result;
  result.trap = operation(no_game, nullptr, no_layout, a, result.value);
  return result;
}
Result call(Sure operation, Int a, Int b) { return {Trap::none, operation(no_game, nullptr, no_layout, a, b)}; }

}   // namespace

bool is_arithmetic(model::ExprKind kind) {
#define ARITHMETIC(expression, operation) || kind == model::ExprKind::expression
  return false
#include "compiler/analysis/arithmetic.def"
      ;
#undef ARITHMETIC
}

Result arithmetic(model::ExprKind kind, Int a, Int b) {
  switch (kind) {
#define ARITHMETIC(expression, operation) \
  case model::ExprKind::expression:       \
    return call(op_##operation, a, b);
#include "compiler/analysis/arithmetic.def"
#undef ARITHMETIC
    default: return {Trap::fell_through, 0};
  }
}

std::optional<Int> known(model::ExprKind kind, Int a, Int b) {
  const Result result = arithmetic(kind, a, b);
  return result.good() ? std::optional(result.value) : std::nullopt;
}

bool is_finite(Int value) { return cardwright::is_finite(value); }

}   // namespace cardwright::analysis
