// Emits traps, and instructions that consume fuel, which limits the length of a run.
#pragma once

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

inline void fuel(const FunctionContext& code, Int steps = 1) { code.effect(Op::fuel, {steps}); }

// Emits code that ends the game with an error.
inline void fail(const FunctionContext& code, Trap trap, About about, Register a, Register other) {
  code.effect(Op::fail, {Int(trap), Int(about), a, other});
  code.effect(Op::trap, {Int(trap)});
}

}   // namespace cardwright::lower
