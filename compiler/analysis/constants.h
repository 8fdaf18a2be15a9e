// Arithmetic on what is known before the game: consts, attributes, conditions over what is printed on cards. It is no
// second arithmetic: each operation is the function of runtime/ops that the engines call, so unlimited, none and what
// goes wrong are the same.
// In:    the kind of an expression and the values of its operands.   Out: its value, or the trap that it would be in a
//        game.
// Tests: tests/system/arithmetic_test.cpp
#pragma once

#include <optional>

#include "compiler/model/model.h"
#include "runtime/ops/game.h"

namespace cardwright::analysis {

struct Result {
  Trap trap = Trap::none;
  Int value = 0;
  bool good() const { return trap == Trap::none; }
};

bool is_arithmetic(model::ExprKind kind);
// `b` is ignored where there is one operand.
Result arithmetic(model::ExprKind kind, Int a, Int b = 0);
// … or nothing, where it would be a trap.
std::optional<Int> known(model::ExprKind kind, Int a, Int b = 0);

// Neither none nor unlimited.
bool is_finite(Int value);

}   // namespace cardwright::analysis
