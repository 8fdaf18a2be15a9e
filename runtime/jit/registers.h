// A game's registers, which are emitted as memory, become values.
#pragma once

#include <llvm/IR/PassManager.h>

namespace cardwright::jit {

// What LLVM's own pass does for each piece of memory takes as long as the function has blocks below its first write. A
// function with thousands of registers has thousands of blocks, too, so those that are only read and written whole,
// word by word, are done here: it takes as long as the code from a write to the last read after it. What is left is
// LLVM's.
struct PromoteRegisters : llvm::PassInfoMixin<PromoteRegisters> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}   // namespace cardwright::jit
