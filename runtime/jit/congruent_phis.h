// Declares an LLVM pass that finds loop variables whose values are always equal: congruent phis (Alpern, Wegman,
// Zadeck, "Detecting equality of variables in programs", 1988).
#pragma once

#include <llvm/IR/PassManager.h>

namespace cardwright::jit {

// When memory is promoted to registers, each location that reads it may get its own phi. LLVM merges two phis only if
// their incoming values are identical; this pass also merges phis that stay equal by induction.
struct MergeCongruentPhis : llvm::PassInfoMixin<MergeCongruentPhis> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}   // namespace cardwright::jit
