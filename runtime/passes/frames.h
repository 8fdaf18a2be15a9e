// Where a suspended function keeps its registers: points at which it can wait, and a slot for what is live there. Where
// it waits for another function it keeps least, and that one's frame lies over what it keeps elsewhere
// (runtime/ops/frames.h).
#pragma once

#include <vector>

#include "runtime/ir/ir.h"
#include "runtime/program/layout.h"

namespace cardwright::passes {

// A place where a function can wait: the start (its parameters), a `site`, or a call of a function that suspends.
struct SuspendPoint {
  Int site = -1;
  Int callee = -1;
  ir::FunctionIndex of = ir::kItself;   // Block::of
  Range where = {};
  Int size = 0;   // bytes of the frame that are kept
  std::vector<ir::Register> kept = {};   // in the frame while it waits
  std::vector<ir::Register> constants = {};   // live too, but set once by a constant: set again instead
};

// By register: the one constant that sets it, if nothing else does, or null. It has that value wherever it means
// something.
std::vector<const ir::Instruction*> find_constants(const ir::Function& function);

struct CoroutineFrame {
  Int size = 0;   // of the largest point
  std::vector<Int> offset;   // by register; -1: never in the frame
  std::vector<const ir::Instruction*> constant;   // by register, see find_constants
  std::vector<SuspendPoint> points;   // [0] is the start
};

bool waits_at(const ir::Module& module, const ir::Instruction& instruction);
CoroutineFrame plan_frame(const ir::Module& module, const ir::Function& function, const Layout& layout);

}   // namespace cardwright::passes
