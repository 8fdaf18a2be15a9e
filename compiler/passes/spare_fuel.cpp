// Fuel is counted where a game might run on: in loops that are neither over a set nor of few turns, in recursion, and in
// functions that do a lot. What is sure to be done soon needs no counting.
// In:    lowered and folded, suspending functions marked. Out: the same, with fewer `fuel`.
#include <algorithm>
#include <limits>

#include "compiler/passes/control_flow.h"
#include "compiler/passes/passes.h"
#include "compiler/passes/walk.h"

namespace cardwright::passes {

namespace {

constexpr double kSoon = 100'000;            // instructions
constexpr Int kTurns = 64;                   // of a loop over a set, on the safe side of what is usual; others that count may have as many
constexpr double kUnbounded = std::numeric_limits<double>::infinity();

// Loops of few turns: a register is set outside of all loops, then only counts down, and the turn is begun if it is above 0.
class ShortLoops {
 public:
  ShortLoops(const ir::Function& function, const std::vector<char>& in_loop)
      : function_(function), ways_in_(count_ways_in(function)), counter_(function.registers.size(), 1), positive_(function.registers.size(), 1) {
    for (const ir::Register r : function.parameters) counter_[r] = positive_[r] = 0;
    for (std::size_t b = 0; b < function.blocks.size(); ++b)
      for (const ir::Instruction& in : function.blocks[b].code) {
        const ir::Register r = set_by(in);
        if (r == ir::kNoRegister) continue;
        const bool constant = in.op == ir::Op::const_int;
        if (!takes_away(in) && !(constant && !in_loop[b] && in.operands[0] <= kTurns)) counter_[r] = 0;
        if (!constant || in.operands[0] <= 0) positive_[r] = 0;
      }
  }
  // Does a turn of such a loop begin with the block?
  bool begins(std::size_t block) const {
    if (ways_in_[block] != 1) return false;
    for (const ir::Instruction& in : function_.blocks[block].code)
      if (takes_away(in) && counter_[in.result] && positive_[static_cast<std::size_t>(in.operands[1])] && begins_above_zero(block, in.result)) return true;
    return false;
  }

 private:
  static bool takes_away(const ir::Instruction& in) { return in.op == ir::Op::sub_small && in.operands[0] == in.result; }
  bool begins_above_zero(std::size_t block, ir::Register counter) const {
    for (const ir::Block& before : function_.blocks) {
      const ir::Instruction& last = before.code.back();
      if (last.op != ir::Op::branch || last.operands[1] != static_cast<std::int64_t>(block)) continue;
      for (const ir::Instruction& in : before.code)
        if (in.op == ir::Op::lt && in.result == static_cast<ir::Register>(last.operands[0]) && in.operands[1] == counter) return true;
    }
    return false;
  }

  const ir::Function& function_;
  const std::vector<std::size_t> ways_in_;
  std::vector<char> counter_, positive_;
};

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
    const ShortLoops short_loops(function, in_loop);
    double cost = 0;
    for (std::size_t b = 0; b < function.blocks.size(); ++b)
      for (const ir::Instruction& instruction : function.blocks[b].code) {
        if (instruction.op == ir::Op::fuel && in_loop[b] && !short_loops.begins(b)) return kUnbounded;
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
