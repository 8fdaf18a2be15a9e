// Removes dead instructions by liveness over the whole function.
#include "runtime/passes/dce.h"

#include "runtime/ir/liveness.h"
#include "runtime/ir/shape.h"
#include "runtime/ir/views.h"

namespace cardwright::passes {

namespace view = ir::view;

namespace {

bool copies_to_itself(const ir::Instruction& instruction) {
  return (instruction.op == ir::Op::copy_int || instruction.op == ir::Op::copy_set) &&
         view::copy(instruction).from() == instruction.result;
}

bool dce_block(const ir::Function& function, ir::Block& block, ir::RegisterSet live) {
  auto& code = block.code;
  std::vector<char> dead(code.size(), 0);
  for (std::size_t i = code.size(); i-- > 0;) {
    dead[i] = copies_to_itself(code[i]) || (is_trivially_dead(code[i].op) && !live.has(code[i].result));
    if (!dead[i]) transfer(function, code[i], live);
  }
  std::size_t at = 0;
  return std::erase_if(code, [&](const ir::Instruction&) { return dead[at++] != 0; }) != 0;
}

}   // namespace

bool dce(ir::Function& function) {
  bool changed = false;
  const ir::LiveOut out(function);
  for (std::size_t b = 0; b < function.blocks.size(); ++b)
    changed |= dce_block(function, function.blocks[b], out.of(b));
  return changed;
}

}   // namespace cardwright::passes
