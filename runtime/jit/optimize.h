// Runs LLVM's optimization passes over a game's module, chosen for short compile time.
#pragma once

#include <atomic>

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include "runtime/jit/emit.h"

namespace cardwright::jit {

// Skips the remaining passes when `stop` is set. If `small` is true, runs all of O3, which takes some tenths of a
// second on a small game. `words` is the number of words per set.
void optimize(llvm::Module& module, llvm::TargetMachine& machine, bool small, Int words,
              const std::atomic<bool>* stop = nullptr);

}   // namespace cardwright::jit
