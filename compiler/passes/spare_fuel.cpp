// Fuel is counted where a game might run on: in loops that are not over a set, in recursion, and in functions that do a
// lot. What is sure to be done soon needs no counting.
// In:    lowered and folded, suspending functions marked. Out: the same, with fewer `fuel`.
#include <algorithm>
#include <limits>

#include "compiler/passes/control_flow.h"
#include "compiler/passes/passes.h"
#include "compiler/passes/walk.h"

namespace cardwright::passes {

namespace {

constexpr double kSoon = 100'000;            // instructions
constexpr double kTurns = 64;                // of a loop over a set, on the safe side of what is usual
constexpr double kUnbounded = std::numeric_limits<double>::infinity();

class Costs {
 public:
  explicit Costs(const ir::Module& module) : module_(module), cost_(module.functions.size(), -1), under_way_(module.functions.size(), 0) {}

  double of(std::size_t f) {
    if (cost_[f] >= 0) return cost_[f];
    if (under_way_[f]) return kUnbounded;                   // calls itself
    under_way_[f] = 1;
    const double cost = compute(module_.functions[f]);
    under_way_[f] = 0;
    return cost_[f] = cost <= kSoon ? cost : kUnbounded;
  }

 private:
  double compute(const ir::Function& function) {
    if (function.suspends || function.blocks.empty()) return kUnbounded;
    const std::vector<char> in_loop = blocks_in_loops(function);
    double cost = 0;
    for (std::size_t b = 0; b < function.blocks.size(); ++b)
      for (const ir::Instruction& instruction : function.blocks[b].code) {
        if (instruction.op == ir::Op::fuel && in_loop[b]) return kUnbounded;
        const double once = is_call(instruction.op) ? of(static_cast<std::size_t>(instruction.operands[0])) : 1;
        cost += in_loop[b] ? once * kTurns : once;
        if (cost > kSoon) return kUnbounded;
      }
    return cost;
  }

  const ir::Module& module_;
  std::vector<double> cost_;
  std::vector<char> under_way_;
};

}  // namespace

void spare_fuel(ir::Module& module) {
  Costs costs(module);
  for (std::size_t f = 0; f < module.functions.size(); ++f) {
    if (costs.of(f) == kUnbounded) continue;
    for (ir::Block& block : module.functions[f].blocks)
      std::erase_if(block.code, [](const ir::Instruction& instruction) { return instruction.op == ir::Op::fuel; });
  }
}

}  // namespace cardwright::passes
