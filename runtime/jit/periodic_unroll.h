// Loops in which a variable comes round: whose turn it is, where the turns go round the table.
#pragma once

#include <llvm/IR/PassManager.h>

namespace cardwright::jit {

// Writes a loop out as many times as it takes until a variable of it is back at its start, so that it is a constant in
// each copy: what belongs to that player then lies at a fixed place, and can be held in registers. Small loops only.
struct PeriodicUnroll : llvm::PassInfoMixin<PeriodicUnroll> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}   // namespace cardwright::jit
