// Declares an LLVM pass that promotes a game's registers, which are emitted as memory, to values.
#pragma once

#include <llvm/IR/PassManager.h>

namespace cardwright::jit {

// LLVM's own pass takes, for each alloca, time proportional to the number of blocks below its first store. A function
// with thousands of registers also has thousands of blocks, so registers that are only loaded and stored as whole words
// are promoted here, in time proportional to the code between a store and its last load. LLVM promotes all others.
struct PromoteRegisters : llvm::PassInfoMixin<PromoteRegisters> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}   // namespace cardwright::jit
