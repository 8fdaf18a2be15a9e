// Cards drawn from sets: what LLVM doesn't know of pdep and of counting, with which that is done.
#pragma once

#include <llvm/IR/PassManager.h>

namespace cardwright::jit {

// What is drawn from a set is at first a set of one, and mostly becomes one again: the lowest bit of it, or 1 << its
// place, is itself.
struct KeepSingleBits : llvm::PassInfoMixin<KeepSingleBits> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

// A set that was counted and out of which one member was drawn has one less: that is worked out before anybody knows
// which one it was, so the next draw need not wait for the last one to be taken out. LLVM counts each time.
struct CountDown : llvm::PassInfoMixin<CountDown> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}   // namespace cardwright::jit
