// The playout form that is run: nothing that only the stepwise form, a trace or a log wants.
#include <algorithm>

#include "compiler/passes/check.h"
#include "compiler/passes/draws.h"
#include "compiler/passes/passes.h"
#include "compiler/passes/walk.h"

namespace cardwright::passes {

namespace {

bool serves_knowledge_only(const ir::Instruction& instruction, bool keep_knowledge) {
  const Shape& shape = shape_of(instruction.op);
  return shape.has('K') && !(keep_knowledge && shape.has('W'));   // log and trace write nothing in the State
}

// A playout is never asked what the options are, and never resumed.
void never_lists(ir::Function& function) {
  for (ir::Block& block : function.blocks) {
    std::erase_if(block.code, [](const ir::Instruction& instruction) { return instruction.op == ir::Op::site; });
    for (ir::Instruction& instruction : block.code) {
      if (instruction.op != ir::Op::listing) continue;
      instruction.op = ir::Op::const_int;
      instruction.operands = {0};
    }
  }
}

// A playout begins at the beginning, with everybody in: what can't have changed since is known.
void begins_anew(ir::Module& module, const Program& program) {
  const bool all_stay = !somebody_leaves(module);
  const auto become = [](ir::Instruction& instruction, Int value) {
    instruction.op = ir::Op::const_int;
    instruction.operands = {value};
  };
  for (ir::Function& function : module.functions)
    for (ir::Block& block : function.blocks)
      for (ir::Instruction& instruction : block.code) {
        if (instruction.op == ir::Op::players_in && all_stay) become(instruction, (Int{1} << program.layout.players) - 1);
        const bool reads = instruction.op == ir::Op::load_raw || instruction.op == ir::Op::load_known;
        if (reads && (instruction.operands[0] == program.start_player || instruction.operands[0] == program.start_event)) become(instruction, kNone);
      }
}

}  // namespace

void remove_knowledge(ir::Module& module, bool keep_knowledge) {
  for (ir::Function& function : module.functions)
    for (ir::Block& block : function.blocks)
      std::erase_if(block.code, [&](const ir::Instruction& instruction) { return serves_knowledge_only(instruction, keep_knowledge); });
  check_pass("remove_knowledge", module, {});
}

ir::Module as_playout(const Program& program, bool traced) {
  ir::Module module = program.playout;
  const ir::FunctionIndex kept[] = {program.main};   // what else the host calls is the stepwise form's
  drop_uncalled(module, kept);
  for (ir::Function& function : module.functions) never_lists(function);
  if (!traced) remove_knowledge(module, program.knowledge_in_playout);
  if (program.plain) return module;
  begins_anew(module, program);
  if (!traced && program.knowledge_in_playout) drop_unasked_notes(module, program.layout, program.zones);
  constexpr int kRounds = 3;                         // what is worked out twice is only known where no branch is in between
  int round = 0;
  do fold(module, program.layout, program.variables, program.zones, kept);
  while (is_small(module) && round++ < kRounds && flatten(module, program.layout));
  walk_sets(module, program.layout);
  if (!traced) fuse_draws(module, {program.layout, program.variables, program.zones});
  return module;
}

Finishing as_finishing(const Program& program) {
  Finishing made = add_finishing(program);
  for (ir::Function& function : made.code.functions) never_lists(function);
  remove_knowledge(made.code, program.knowledge_in_playout);
  if (program.plain) return made;
  std::vector<ir::FunctionIndex> kept;
  for (const ir::FunctionIndex f : made.of)
    if (f != 0) kept.push_back(f);
  fold(made.code, program.layout, program.variables, program.zones, kept);
  walk_sets(made.code, program.layout);
  fuse_draws(made.code, {program.layout, program.variables, program.zones});
  return made;
}

std::size_t size_of(const ir::Function& function) {
  std::size_t size = 0;
  for (const ir::Block& block : function.blocks) size += block.code.size();
  return size;
}
std::size_t size_of(const ir::Module& module) {
  std::size_t size = 0;
  for (const ir::Function& function : module.functions) size += size_of(function);
  return size;
}

bool asks_who_knows(const Program& program) {
  const auto asks = [](const ir::Module& module) { return has_instruction(module, [](const ir::Instruction& i) { return shape_of(i.op).has('Q'); }); };
  return asks(program.playout) && (program.plain || asks(as_playout(program, false)));   // the second costs a few milliseconds
}

}  // namespace cardwright::passes
