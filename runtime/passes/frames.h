// Plans where a suspended function saves its registers: its suspend points, and a slot for each register that is live
// there. A function that waits for another one saves as little as possible, because the callee's frame begins right
// after the saved registers (runtime/ops/frames.h).
#pragma once

#include <vector>

#include "runtime/ir/ir.h"
#include "runtime/program/layout.h"

namespace cardwright::passes {

// A point where a function can suspend: its start (with the parameters), a `site`, or a call of a suspending function.
struct SuspendPoint {
  Int site = -1;
  Int callee = -1;
  ir::FunctionIndex of = ir::kItself;   // the function that contains this point (Block::of)
  Range where = {};
  Int size = 0;   // bytes of the frame used here
  std::vector<ir::Register> saved = {};   // registers saved in the frame while the function waits
  // Registers that are also live, but whose only definition is a constant. They are set again on resume.
  std::vector<ir::Register> constants = {};
};

// Returns, by register, its only definition if that is a constant, or null. The register has that value wherever it is
// defined.
std::vector<const ir::Instruction*> find_constants(const ir::Function& function);

struct CoroutineFrame {
  Int size = 0;   // bytes of the frame at its largest suspend point
  std::vector<Int> offset;   // by register: its offset in the frame; -1: never saved
  std::vector<const ir::Instruction*> constant;   // by register: the result of find_constants()
  std::vector<SuspendPoint> points;   // [0] is the start
};

bool waits_at(const ir::Module& module, const ir::Instruction& instruction);
CoroutineFrame plan_frame(const ir::Module& module, const ir::Function& function, const Layout& layout);

}   // namespace cardwright::passes
