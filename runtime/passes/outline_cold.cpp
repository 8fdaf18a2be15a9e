// Moves code that runs only when the game ends to separate functions. Computing the winners often takes more code than
// testing for the end, and this code's size prevents inlining of the test.
#include <utility>
#include <vector>

#include "runtime/ir/liveness.h"
#include "runtime/ir/shape.h"
#include "runtime/passes/control_flow.h"
#include "runtime/passes/pass.h"
#include "runtime/passes/passes.h"

namespace cardwright::passes {

namespace {

constexpr std::size_t kMinSize = 12;   // minimum number of instructions that are moved

class Endings {
 public:
  Endings(ir::Function& function, std::size_t next) : function_(function), next_(next) {}

  // Returns the outlined functions, numbered from `next`.
  std::vector<ir::Function> run() {
    find_endings();
    if (ends_[0]) return {};   // the whole function is cold
    const ir::LiveOut live(function_);
    std::vector<ir::Function> made;
    for (std::size_t b = 0; b < function_.blocks.size(); ++b)
      if (is_head(b)) set_apart(b, live.of(b), made);
    if (!made.empty()) simplify_control_flow(function_);
    return made;
  }

 private:
  // Finds blocks from which every path reaches a `finish` or never returns.
  void find_endings() {
    ends_.assign(function_.blocks.size(), 1);
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t b = 0; b < ends_.size(); ++b)
        if (ends_[b] && !leads_to_end(function_.blocks[b])) ends_[b] = 0, changed = true;
    }
  }
  bool leads_to_end(const ir::Block& block) const {
    for (const ir::Instruction& instruction : block.code)
      if (instruction.op == ir::Op::finish) return true;
    const ir::Instruction& last = block.code.back();
    if (last.op == ir::Op::trap) return true;
    bool all = true, any = false;
    for_each_target(last,
                    [&](std::int64_t target) { any = true, all &= ends_[static_cast<std::size_t>(target)] != 0; });
    return any && all;
  }
  // Returns true if this block is the first on a path on which the game is certain to end.
  bool is_head(std::size_t block) const {
    if (!ends_[block]) return false;
    bool is = false;
    for (std::size_t b = 0; b < ends_.size(); ++b)
      if (!ends_[b])
        for_each_target(function_.blocks[b].code.back(),
                        [&](std::int64_t target) { is |= static_cast<std::size_t>(target) == block; });
    return is;
  }

  void set_apart(std::size_t head, ir::RegisterSet live, std::vector<ir::Function>& made) {
    std::vector<std::size_t> blocks{head};
    std::vector<std::int64_t> place(function_.blocks.size(), -1);
    place[head] = 0;
    std::size_t size = 0;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      size += function_.blocks[blocks[i]].code.size();
      for_each_target(function_.blocks[blocks[i]].code.back(), [&](std::int64_t target) {
        if (std::int64_t& at = place[static_cast<std::size_t>(target)]; at < 0)
          at = static_cast<std::int64_t>(blocks.size()), blocks.push_back(static_cast<std::size_t>(target));
      });
    }
    if (size < kMinSize) return;
    auto& code = function_.blocks[head].code;
    for (auto i = code.rbegin(); i != code.rend(); ++i) transfer(function_, *i, live);
    ir::Instruction call{
        ir::Op::call, ir::kNoRegister, {static_cast<std::int64_t>(next_ + made.size())}, code.front().where};
    ir::Function apart;
    bool is_possible = true;
    live.for_each([&](ir::Register r) {
      is_possible &= function_.registers[r].kind != ir::RegisterKind::array;
      apart.parameters.push_back(r);
      call.operands.push_back(r);
    });
    if (!is_possible) return;
    apart.name = function_.name;
    apart.where = function_.where;
    apart.shown = false;
    apart.registers = function_.registers;
    for (const std::size_t b : blocks) {
      apart.blocks.push_back(function_.blocks[b]);
      for_each_target(apart.blocks.back().code.back(),
                      [&](std::int64_t& target) { target = place[static_cast<std::size_t>(target)]; });
    }
    code = {std::move(call), {ir::Op::ret, ir::kNoRegister, {}, {}}};
    made.push_back(std::move(apart));
  }

  ir::Function& function_;
  const std::size_t next_;
  std::vector<char> ends_;
};

}   // namespace

std::vector<ir::FunctionIndex> outline_cold(ir::Module& module) {
  std::vector<ir::FunctionIndex> from;
  const std::size_t count = module.functions.size();
  for (std::size_t f = 0; f < count; ++f) {
    ir::Function& function = module.functions[f];
    if (function.blocks.empty() || function.shown || function.returns != ir::Returns::nothing) continue;
    for (ir::Function& made : Endings(function, module.functions.size()).run()) {
      module.functions.push_back(std::move(made));   // `function` is not used after this, because it may dangle
      from.push_back(static_cast<ir::FunctionIndex>(f));
    }
  }
  made("outline_cold", module, {});
  return from;
}

}   // namespace cardwright::passes
