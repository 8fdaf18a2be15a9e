// Declares an LLVM pass for loops with a periodic variable, such as the active player in turn order.
#pragma once

#include <llvm/IR/PassManager.h>

namespace cardwright::jit {

// Unrolls a loop by the period of one of its variables, so that the variable is a constant in each copy of the body.
// The data of that player then has a fixed address and can be promoted to registers. Only small loops are unrolled.
struct PeriodicUnroll : llvm::PassInfoMixin<PeriodicUnroll> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}   // namespace cardwright::jit
