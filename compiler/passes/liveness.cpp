// Liveness of registers, block by block.
#include "compiler/passes/liveness.h"

#include "compiler/passes/walk.h"

namespace cardwright::passes {

void live_before(const ir::Function& function, const ir::Instruction& instruction, RegisterSet& live) {
  if (instruction.op == ir::Op::site)
    for (std::size_t r = 0; r < function.registers.size(); ++r)
      if (function.registers[r].site_local) live.remove(static_cast<ir::Register>(r));
  if (const ir::Register set = set_by(instruction); set != ir::kNoRegister) live.remove(set);
  for_each_use(instruction, [&](ir::Register r) { live.add(r); });
}

std::vector<RegisterSet> live_out(const ir::Function& function) {
  const std::size_t blocks = function.blocks.size();
  std::vector<RegisterSet> in(blocks, RegisterSet(function.registers.size())), out = in;
  std::vector<std::vector<std::size_t>> before(blocks);
  for (std::size_t b = 0; b < blocks; ++b)
    if (!function.blocks[b].code.empty())
      for_each_target(function.blocks[b].code.back(),
                      [&](std::int64_t to) { before[static_cast<std::size_t>(to)].push_back(b); });

  std::vector<std::size_t> work;
  std::vector<char> waiting(blocks, 1);
  for (std::size_t b = 0; b < blocks; ++b) work.push_back(b);   // taken from the back: later blocks first
  while (!work.empty()) {
    const std::size_t b = work.back();
    work.pop_back();
    waiting[b] = 0;
    RegisterSet live = out[b];
    const auto& code = function.blocks[b].code;
    for (auto i = code.rbegin(); i != code.rend(); ++i) live_before(function, *i, live);
    if (!in[b].add_all(live)) continue;
    for (const std::size_t from : before[b])
      if (out[from].add_all(in[b]) && !waiting[from]) {
        waiting[from] = 1;
        work.push_back(from);
      }
  }
  return out;
}

}  // namespace cardwright::passes
