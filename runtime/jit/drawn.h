// Declares LLVM passes that optimize cards drawn from sets, using facts about pdep and population counts that LLVM does
// not know.
#pragma once

#include <llvm/IR/PassManager.h>

namespace cardwright::jit {

// A card drawn from a set starts as a one-element set and is usually turned into one again. This pass replaces the
// lowest bit of such a set, and 1 << its index, by the set itself.
struct KeepSingleBits : llvm::PassInfoMixin<KeepSingleBits> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

// After one member is drawn from a counted set, the count is one less. This pass computes the new count before the
// drawn member is known, so that the next draw need not wait for its removal. LLVM alone would count the set again for
// each draw.
struct CountDown : llvm::PassInfoMixin<CountDown> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}   // namespace cardwright::jit
