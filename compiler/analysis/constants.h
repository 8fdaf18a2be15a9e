// Constant folding for consts, attributes, and conditions over attributes of cards. Each operation calls the function
// of runtime/ops that the engines use, so `unlimited`, `none` and traps behave the same.
// Input:  the kind of an expression and the values of its operands.
// Output: its value, or the trap that it would cause in a game.
// Tests: tests/runtime/arithmetic_test.cpp
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
// `b` is ignored for unary operations.
Result arithmetic(model::ExprKind kind, Int a, Int b = 0);
// Like arithmetic(), but returns nullopt if the operation traps.
std::optional<Int> known(model::ExprKind kind, Int a, Int b = 0);

// Returns whether the value is neither none nor unlimited.
bool is_finite(Int value);

}   // namespace cardwright::analysis
