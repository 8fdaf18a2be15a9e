// Defines which passes run and in which order: after lowering, for a playout, and for finishing games.
#include <algorithm>

#include "runtime/ir/shape.h"
#include "runtime/ir/views.h"
#include "runtime/passes/draws.h"
#include "runtime/passes/passes.h"

namespace cardwright::passes {

namespace view = ir::view;

namespace {

void replace_by_zero(ir::Block& block, ir::Op op) {
  for (ir::Instruction& instruction : block.code) {
    if (instruction.op != op) continue;
    instruction.op = ir::Op::const_int;
    instruction.operands = {0};
  }
}

// Removes operations that only serve knowledge, log and trace; code that only computed their operands becomes dead. If
// a rule queries knowledge, only log and trace are removed, which do not write to the State.
void remove_knowledge(ir::Module& module, const PassContext& context) {
  const bool keeps_knowledge = context.program.knowledge_in_playout;
  for (ir::Function& function : module.functions)
    for (ir::Block& block : function.blocks) {
      std::erase_if(block.code, [&](const ir::Instruction& instruction) {
        const ir::OpShape& shape = shape_of(instruction.op);
        return shape.has('K') && !(keeps_knowledge && shape.has('W'));
      });
      replace_by_zero(block, ir::Op::listened);
    }
}

// Removes `site` and replaces `listing` by 0, because a playout never lists options and is never resumed.
void drop_listing(ir::Module& module, const PassContext&) {
  for (ir::Function& function : module.functions)
    for (ir::Block& block : function.blocks) {
      std::erase_if(block.code, [](const ir::Instruction& instruction) { return instruction.op == ir::Op::site; });
      replace_by_zero(block, ir::Op::listing);
    }
}

// Folds values that cannot have changed since the start of the game, because a playout starts a new game with all
// players in it.
void use_initial_values(ir::Module& module, const PassContext& context) {
  const Program& program = context.program;
  const bool all_stay = !may_eliminate(module);
  const auto become = [](ir::Instruction& instruction, Int value) {
    instruction.op = ir::Op::const_int;
    instruction.operands = {value};
  };
  for (ir::Function& function : module.functions)
    for (ir::Block& block : function.blocks)
      for (ir::Instruction& instruction : block.code) {
        if (instruction.op == ir::Op::players_in && all_stay)
          become(instruction, (Int{1} << program.layout.players) - 1);
        const bool reads = instruction.op == ir::Op::load_raw || instruction.op == ir::Op::load_known;
        if (!reads) continue;
        const auto variable = static_cast<Int>(view::entry(instruction).variable());
        if (variable == program.start_player || variable == program.start_event) become(instruction, kNone);
      }
}

constexpr Pass kInitUndef{"init_undef", init_undef};
constexpr Pass kFold{"fold", fold};
constexpr Pass kGlobalDce{"global_dce", global_dce};
constexpr Pass kEliminateChecks{"eliminate_checks", eliminate_checks};
constexpr Pass kMarkSuspending{"mark_suspending", mark_suspending};
constexpr Pass kPlaceFuel{"place_fuel", place_fuel};
constexpr Pass kDropListing{"drop_listing", drop_listing};
constexpr Pass kRemoveKnowledge{"remove_knowledge", remove_knowledge};
constexpr Pass kUseInitialValues{"use_initial_values", use_initial_values};
constexpr Pass kDropUnaskedNotes{"drop_unasked_notes", drop_unasked_notes};
constexpr Pass kWalkSets{"walk_sets", walk_sets};
constexpr Pass kFuseDraws{"fuse_draws", fuse_draws};
constexpr Pass kMergeSimilar{"merge_similar", merge_similar};

constexpr Pass kAll[] = {kInitUndef, kFold,        kGlobalDce,       kEliminateChecks,  kMarkSuspending,
                         kPlaceFuel, kDropListing, kRemoveKnowledge, kUseInitialValues, kDropUnaskedNotes,
                         kWalkSets,  kFuseDraws,   kMergeSimilar};
constexpr Pass kLowered[] = {kInitUndef, kFold, kEliminateChecks, kMarkSuspending, kPlaceFuel};
constexpr Pass kLoweredPlain[] = {kInitUndef, kGlobalDce, kMarkSuspending, kPlaceFuel};
constexpr Pass kExplaining[] = {kInitUndef, kGlobalDce, kPlaceFuel};

// Folds, and in small games alternates if-conversion with folding, because common subexpressions are found only if
// there is no branch in between.
void fold_and_if_convert(ir::Module& module, const PassContext& context) {
  constexpr int kRounds = 3;
  run(kFold, module, context);
  for (int round = 0; round < kRounds && is_small(module) && if_convert(module, context); ++round) {
    made("if_convert", module, {.words = context.layout().words});
    run(kFold, module, context);
  }
}

}   // namespace

const Pass* pass_named(std::string_view name) {
  const auto* found =
      std::find_if(std::begin(kAll), std::end(kAll), [&](const Pass& pass) { return pass.name == name; });
  return found == std::end(kAll) ? nullptr : found;
}

void run_on_lowered(Program& program) {
  const std::vector<ir::FunctionIndex> entry_points = roots(program);
  if (program.plain)
    run(kLoweredPlain, program.playout, {program, entry_points});
  else
    run(kLowered, program.playout, {program, entry_points});
}

void run_on_explaining(Program& program, std::span<const ir::FunctionIndex> called) {
  run(kExplaining, program.playout, {program, called});
}

ir::Module as_playout(const Program& program, bool traced) {
  ir::Module module = program.playout;
  const ir::FunctionIndex entry_points[] = {program.main};   // the host calls all other functions in the stepwise form
  const PassContext context{program, entry_points};
  run(kGlobalDce, module, context);
  run(kDropListing, module, context);
  if (!traced) run(kRemoveKnowledge, module, context);
  if (program.plain) return module;
  run(kUseInitialValues, module, context);
  if (!traced && program.knowledge_in_playout) run(kDropUnaskedNotes, module, context);
  fold_and_if_convert(module, context);
  run(kGlobalDce, module, context);   // functions that only log code called
  run(kWalkSets, module, context);
  if (!traced) run(kFuseDraws, module, context);
  return module;
}

ir::Module as_compiled_playout(const Program& program) {
  ir::Module module = as_playout(program, false);
  const ir::FunctionIndex entry_points[] = {program.main};
  if (merges_similar(program)) run(kMergeSimilar, module, {program, entry_points});
  return module;
}

// Merging pays off if LLVM would take more than a few seconds. Among the bundled games, no game is this large.
bool merges_similar(const Program& program) {
  constexpr std::size_t kLeast = 30'000;
  return !program.plain && size_of(program.playout) >= kLeast;
}

Finishing as_finishing(const Program& program) {
  Finishing finishing = osr_entries(program);
  std::vector<ir::FunctionIndex> entry_points;
  for (const ir::FunctionIndex f : finishing.of)
    if (f != 0) entry_points.push_back(f);
  const PassContext context{program, entry_points};
  run(kDropListing, finishing.code, context);
  run(kRemoveKnowledge, finishing.code, context);
  if (program.plain) return finishing;
  run(kFold, finishing.code, context);
  run(kWalkSets, finishing.code, context);
  run(kFuseDraws, finishing.code, context);
  return finishing;
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

bool queries_knowledge(const Program& program) {
  const auto asks = [](const ir::Module& module) {
    return has_instruction(module, [](const ir::Instruction& i) { return shape_of(i.op).has('Q'); });
  };
  // The second test takes a few milliseconds.
  return asks(program.playout) && (program.plain || asks(as_playout(program, false)));
}

}   // namespace cardwright::passes
