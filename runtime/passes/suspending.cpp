// Finds the functions that can reach a decision, and lists the functions that the host calls.
#include "runtime/ir/shape.h"
#include "runtime/ir/views.h"
#include "runtime/passes/passes.h"

namespace cardwright::passes {

namespace view = ir::view;

namespace {

bool suspends_now(const ir::Module& module, const ir::Function& function) {
  for (const ir::Block& block : function.blocks)
    for (const ir::Instruction& instruction : block.code) {
      if (instruction.op == ir::Op::decide) return true;
      if (is_call(instruction.op) && module.functions[view::call(instruction).callee()].suspends) return true;
    }
  return false;
}

}   // namespace

void mark_suspending(ir::Module& module, const PassContext&) {
  for (ir::Function& function : module.functions) function.suspends = false;
  for (bool changed = true; changed;) {
    changed = false;
    for (ir::Function& function : module.functions)
      if (!function.suspends && suspends_now(module, function)) changed = function.suspends = true;
  }
}

std::vector<ir::FunctionIndex> roots(const Program& program) {
  std::vector<ir::FunctionIndex> roots{program.main};
  const auto add = [&](Int function) {
    if (function >= 0) roots.push_back(static_cast<ir::FunctionIndex>(function));
  };
  add(program.settle_function);
  add(program.payoff);
  if (program.score != program.payoff) add(program.score);
  for (const Int claim : program.claims) add(claim);
  for (const ActionInfo& action : program.actions) add(action.label_text);
  for (const BoardInfo& board : program.boards)
    for (const auto* shows : {&board.shows, &board.edges_show})
      if (*shows) add((*shows)->function);
  for (const PlacedInfo& placed : program.placed) add(placed.drawn);
  for (const ShownInfo& shown : program.shown) add(shown.function);
  if (program.race)
    for (const Int think : program.race->think) add(think);
  return roots;
}

}   // namespace cardwright::passes
