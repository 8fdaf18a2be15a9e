// Implements PeriodicUnroll, an LLVM pass that unrolls loops by the period of a variable.
#include "runtime/jit/periodic_unroll.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/Transforms/Utils/UnrollLoop.h>

namespace cardwright::jit {

namespace {

constexpr unsigned kMostRounds = 8;
constexpr unsigned kMostInstructions = 1'600;   // limit for all copies together
constexpr int kDeepest = 8;

// Returns the constant that `value` has when `variable` is `now`, or null if `now` does not determine it.
llvm::Constant* value_if(llvm::Value* value, const llvm::PHINode& variable, llvm::Constant* now, const llvm::Loop& loop,
                         int depth) {
  if (value == &variable) return now;
  if (auto* constant = llvm::dyn_cast<llvm::Constant>(value)) return constant;
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction || depth == kDeepest || !loop.contains(instruction) || instruction->mayReadOrWriteMemory())
    return nullptr;
  llvm::SmallVector<llvm::Constant*, 4> operands;
  for (llvm::Value* operand : instruction->operands()) {
    operands.push_back(value_if(operand, variable, now, loop, depth + 1));
    if (!operands.back()) return nullptr;
  }
  if (!llvm::isa<llvm::PHINode>(instruction))
    return llvm::ConstantFoldInstOperands(instruction, operands, instruction->getDataLayout());
  const bool is_header = instruction->getParent() == loop.getHeader();
  return !is_header && llvm::all_equal(operands) ? operands.front() : nullptr;
}

// Returns the number of iterations after which the variable has its initial value again, or 0 if unknown.
unsigned period_of(const llvm::PHINode& variable, const llvm::Loop& loop) {
  auto* start = llvm::dyn_cast<llvm::ConstantInt>(variable.getIncomingValueForBlock(loop.getLoopPreheader()));
  if (!start) return 0;
  llvm::Constant* now = start;
  for (unsigned rounds = 1; rounds <= kMostRounds; ++rounds) {
    now = value_if(variable.getIncomingValueForBlock(loop.getLoopLatch()), variable, now, loop, 0);
    if (!now || !llvm::isa<llvm::ConstantInt>(now)) return 0;
    if (now == start) return rounds;
  }
  return 0;
}

unsigned copies_of(const llvm::Loop& loop) {
  if (!loop.isLoopSimplifyForm()) return 1;
  unsigned copies = 1;
  for (const llvm::PHINode& variable : loop.getHeader()->phis()) copies = std::max(copies, period_of(variable, loop));
  unsigned size = 0;
  for (const llvm::BasicBlock* block : loop.blocks()) size += static_cast<unsigned>(block->sizeWithoutDebug());
  return copies * size <= kMostInstructions ? copies : 1;
}

}   // namespace

llvm::PreservedAnalyses PeriodicUnroll::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  bool changed = false;
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    llvm::UnrollLoopOptions options{};
    options.Count = copies_of(*loop);
    options.Force = true;
    if (options.Count == 1) continue;
    auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
    auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
    auto& assumptions = analyses.getResult<llvm::AssumptionAnalysis>(function);
    auto& target = analyses.getResult<llvm::TargetIRAnalysis>(function);
    auto& remarks = analyses.getResult<llvm::OptimizationRemarkEmitterAnalysis>(function);
    changed |= llvm::UnrollLoop(loop, options, &loops, &evolution, &dominators, &assumptions, &target, &remarks,
                                true) != llvm::LoopUnrollResult::Unmodified;
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}   // namespace cardwright::jit
