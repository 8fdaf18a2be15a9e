// Fuel is counted where a game might run on: in loops nobody knows the end of, in recursion, and where a lot is done before either.
// What is sure to be done soon needs no counting.
// In:    lowered and folded, suspending functions marked. Out: the same, with fewer `fuel`.
#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "compiler/passes/check.h"
#include "compiler/passes/control_flow.h"
#include "compiler/passes/passes.h"
#include "compiler/passes/walk.h"
#include "runtime/game.h"

namespace cardwright::passes {

namespace {

constexpr double kSoon = 100'000;            // instructions
constexpr double kUnbounded = std::numeric_limits<double>::infinity();

// Which fuel is to stay, and how often each block is run at most until that is taken, or until the function returns.
//
// A loop ends soon if there is a register in it from which each turn takes something away, and to which nothing in the loop gives: a
// count down to 0, the players or cards that are still to come; or if somebody decides in each turn, since decisions are counted and fill
// the fuel up. In any other loop the first fuel stays. The loops inside are then looked at without the blocks where such turns begin and
// without those with decisions or fuel, to the innermost.
class Turns {
 public:
  Turns(const ir::Function& function, const Layout& layout)
      : function_(function), most_cards_(static_cast<double>(64 * layout.words)),
        ways_in_(function.blocks.empty() ? std::vector<std::size_t>() : count_ways_in(function)), counters_(function.registers.size()),
        turns_(function.blocks.size(), 1), cut_(function.blocks.size(), 0), keeps_(function.blocks.size(), 0) {
    for (const ir::Register r : function.parameters) counters_[r].is_literal = false;
    if (function.blocks.empty()) return;
    for (std::size_t b = 0; b < function.blocks.size(); ++b)
      for (std::size_t i = 0; i < function.blocks[b].code.size(); ++i) read(b, i);
    do loops_ = loops_of_blocks(function, cut_);
    while (cut(loops_));
  }
  double most(std::size_t block) const { return turns_[block]; }
  bool keeps(std::size_t block) const { return keeps_[block] != 0; }
  // In a loop nobody knows the end of, without fuel: it is for those it calls to count.
  bool leans(std::size_t block) const { return loops_[block] >= 0; }

 private:
  // Where a register is written. What a number counts down from has to be literals; players and cards are never many.
  struct Counter {
    std::vector<std::size_t> turns, others;
    double most = 0;
    bool is_number = false, is_literal = true;
    double most_turns() const { return is_number && !is_literal ? kUnbounded : most; }
  };

  void read(std::size_t block, std::size_t i) {
    const ir::Instruction& in = function_.blocks[block].code[i];
    const ir::Register r = set_by(in);
    if (r == ir::kNoRegister) return;
    Counter& counter = counters_[r];
    if (begins_turn(block, i)) {
      counter.turns.push_back(block);
      counter.is_number = in.op == ir::Op::sub_small;
      if (!counter.is_number) counter.most = in.op == ir::Op::mask_without ? 64 : most_cards_;
    } else {
      counter.others.push_back(block);
      if (in.op == ir::Op::const_int) counter.most = std::max(counter.most, static_cast<double>(in.operands[0]));
      else counter.is_literal = false;
    }
  }
  // In the block before the i-th instruction.
  const ir::Instruction* set_before(const ir::Block& block, std::size_t i, std::int64_t r) const {
    while (i-- > 0)
      if (set_by(block.code[i]) == static_cast<ir::Register>(r)) return &block.code[i];
    return nullptr;
  }
  static bool is(const ir::Instruction* in, ir::Op op) { return in && in->op == op; }
  // The instruction takes something away from its own register, of which something is left when the block begins.
  bool begins_turn(std::size_t b, std::size_t i) const {
    const ir::Block& block = function_.blocks[b];
    const ir::Instruction& in = block.code[i];
    if (ways_in_[b] != 1 || in.operands.empty() || in.operands[0] != static_cast<std::int64_t>(in.result)) return false;
    const auto taken = [&](std::int64_t r) { return set_before(block, i, r); };
    switch (in.op) {
      case ir::Op::sub_small: {
        const ir::Instruction* what = taken(in.operands[1]);
        return is(what, ir::Op::const_int) && what->operands[0] > 0 && is_left(b, in);
      }
      case ir::Op::mask_without: {
        const ir::Instruction* what = taken(in.operands[1]);
        if (!is(what, ir::Op::mask_of)) return false;
        what = taken(what->operands[0]);
        return (is(what, ir::Op::mask_first) || is(what, ir::Op::mask_next)) && what->operands[0] == in.operands[0] && is_left(b, in);
      }
      case ir::Op::set_rest: return is_left(b, in);
      default: return false;
    }
  }
  // Whoever comes to the block has asked whether there is something left.
  bool is_left(std::size_t b, const ir::Instruction& turn) const {
    const std::int64_t r = turn.operands[0];
    for (const ir::Block& before : function_.blocks) {
      const ir::Instruction& last = before.code.back();
      if (last.op != ir::Op::branch || last.operands[1] != static_cast<std::int64_t>(b)) continue;
      if (turn.op == ir::Op::mask_without && last.operands[0] == r) return true;
      const ir::Instruction* asked = set_before(before, before.code.size(), last.operands[0]);
      if (!asked) return false;
      switch (turn.op) {
        case ir::Op::mask_without: return asked->op == ir::Op::ne && asked->operands[0] == r;
        case ir::Op::set_rest: return asked->op == ir::Op::set_any && asked->operands[0] == r;
        default: break;
      }
      const ir::Instruction* least = asked->op == ir::Op::lt ? set_before(before, before.code.size(), asked->operands[0]) : nullptr;
      return is(least, ir::Op::const_int) && least->operands[0] >= 0 && asked->operands[1] == r;
    }
    return false;
  }

  // Takes out of the graph where turns begin, decisions, or fuel that stays. False if no loop is left in which there is one of these.
  bool cut(const std::vector<int>& loops) {
    std::map<int, double> found;
    for (const Counter& counter : counters_) {
      if (counter.turns.empty() || counter.most_turns() == kUnbounded) continue;
      for (const std::size_t block : counter.turns) {
        const int loop = loops[block];
        const bool given = std::any_of(counter.others.begin(), counter.others.end(), [&](std::size_t other) { return loops[other] == loop; });
        if (loop < 0 || given) continue;
        found[loop] += counter.most_turns();
        cut_[block] = 1;
      }
    }
    for (const auto what : {&Turns::somebody_decides, &Turns::has_fuel})
      for (std::size_t b = 0; b < loops.size(); ++b) {
        if (loops[b] < 0 || found.contains(loops[b]) || !(this->*what)(function_.blocks[b])) continue;
        found[loops[b]] = 0;
        cut_[b] = 1;
        keeps_[b] = what == &Turns::has_fuel;
      }
    for (std::size_t b = 0; b < loops.size(); ++b)
      if (const auto at = found.find(loops[b]); at != found.end()) turns_[b] *= at->second + 1;
    return !found.empty();
  }
  bool has_fuel(const ir::Block& block) const {
    return std::any_of(block.code.begin(), block.code.end(), [](const ir::Instruction& in) { return in.op == ir::Op::fuel; });
  }
  // The host's are not counted.
  bool somebody_decides(const ir::Block& block) const {
    return std::any_of(block.code.begin(), block.code.end(), [&](const ir::Instruction& in) { return in.op == ir::Op::decide && !is_the_host(in.operands[0]); });
  }
  bool is_the_host(std::int64_t r) const {
    const auto sets = [&](const ir::Instruction& in) { return set_by(in) == static_cast<ir::Register>(r) && in.op == ir::Op::const_int && in.operands[0] == kHost; };
    return std::any_of(function_.blocks.begin(), function_.blocks.end(), [&](const ir::Block& block) { return std::any_of(block.code.begin(), block.code.end(), sets); });
  }

  const ir::Function& function_;
  const double most_cards_;
  const std::vector<std::size_t> ways_in_;
  std::vector<Counter> counters_;            // by register
  std::vector<double> turns_;
  std::vector<char> cut_, keeps_;
  std::vector<int> loops_;                   // that are left, by block
};

class Spare {
 public:
  Spare(ir::Module& module, const Layout& layout) : module_(module), cost_(module.functions.size(), -1), under_way_(module.functions.size(), 0), counts_(module.functions.size(), 0) {
    for (const ir::Function& function : module.functions) turns_.emplace_back(function, layout);
    for (std::size_t f = 0; f < module.functions.size(); ++f)
      for_each_call(f, [&](std::size_t callee, std::size_t block) {
        if (turns_[f].leans(block)) let_count(callee);
      });
  }

  // Instructions until fuel is taken, at most; unbounded if that would be too many, or it calls itself. The fuel to spare is gone then.
  double look_at(std::size_t f) {
    if (cost_[f] >= 0) return cost_[f];
    if (under_way_[f]) return kUnbounded;
    ir::Function& function = module_.functions[f];
    if (function.blocks.empty()) return cost_[f] = 0;      // nobody calls it
    under_way_[f] = 1;
    const Turns& turns = turns_[f];
    double cost = 0;
    for (std::size_t b = 0; b < function.blocks.size(); ++b)
      for (const ir::Instruction& instruction : function.blocks[b].code)
        cost += turns.most(b) * (is_call(instruction.op) ? look_at(static_cast<std::size_t>(instruction.operands[0])) : 1);
    under_way_[f] = 0;
    if (cost > kSoon) return cost_[f] = kUnbounded;
    for (std::size_t b = 0; b < function.blocks.size(); ++b)
      if (!counts_[f] && !turns.keeps(b)) std::erase_if(function.blocks[b].code, [](const ir::Instruction& instruction) { return instruction.op == ir::Op::fuel; });
    return cost_[f] = cost;
  }

 private:
  template <class F>
  void for_each_call(std::size_t f, F call) const {
    for (std::size_t b = 0; b < module_.functions[f].blocks.size(); ++b)
      for (const ir::Instruction& instruction : module_.functions[f].blocks[b].code)
        if (is_call(instruction.op)) call(static_cast<std::size_t>(instruction.operands[0]), b);
  }
  void let_count(std::size_t f) {
    if (module_.functions[f].suspends && !std::exchange(counts_[f], 1)) for_each_call(f, [&](std::size_t callee, std::size_t) { let_count(callee); });
  }

  ir::Module& module_;
  std::vector<Turns> turns_;                 // by function
  std::vector<double> cost_;
  std::vector<char> under_way_;
  std::vector<char> counts_;                 // for a loop that calls it, if it suspends: all its fuel stays
};

}  // namespace

void spare_fuel(ir::Module& module, const Layout& layout) {
  Spare spare(module, layout);
  for (std::size_t f = 0; f < module.functions.size(); ++f) spare.look_at(f);
  check_pass("spare_fuel", module, {.words = layout.words});
}

}  // namespace cardwright::passes
