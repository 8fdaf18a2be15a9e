// Sets registers to 0 or the empty set if they may be read before they are assigned, so that their value is the same in
// every form and on every engine.
#include "runtime/ir/liveness.h"
#include "runtime/passes/passes.h"

namespace cardwright::passes {

void init_undef(ir::Module& module, const PassContext&) {
  for (ir::Function& function : module.functions) {
    if (function.blocks.empty()) continue;
    ir::RegisterSet live = ir::live_at_entry(function);
    auto& code = function.blocks[0].code;
    for (const ir::Register parameter : function.parameters) live.remove(parameter);
    std::vector<ir::Instruction> first;
    live.for_each([&](ir::Register r) {
      if (function.registers[r].kind == ir::RegisterKind::integer)
        first.push_back({ir::Op::const_int, r, {0}, function.where});
      if (function.registers[r].kind == ir::RegisterKind::set)
        first.push_back({ir::Op::set_empty, r, {}, function.where});
    });
    code.insert(code.begin(), first.begin(), first.end());
  }
}

}   // namespace cardwright::passes
