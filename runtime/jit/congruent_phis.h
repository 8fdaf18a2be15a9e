// Variables of a loop that are always the same: congruent phis (Alpern, Wegman, Zadeck, "Detecting equality of
// variables in programs", 1988).
#pragma once

#include <llvm/IR/PassManager.h>

namespace cardwright::jit {

// When what lies in memory comes to be held in registers, each place that reads it may get a variable of its own. LLVM
// only sees that two are the same where what comes into them is; here that they stay the same if they are.
struct MergeCongruentPhis : llvm::PassInfoMixin<MergeCongruentPhis> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}   // namespace cardwright::jit
