// The passes of LLVM that a game goes through, chosen for short compile time.
#pragma once

#include <atomic>

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include "runtime/jit/emit.h"

namespace cardwright::jit {

// Where `stop` is set, the rest is left out. `small`: such a game can have all of O3 in some tenths of a second.
// `words`: of a set.
void optimise(llvm::Module& module, llvm::TargetMachine& machine, bool small, Int words,
              const std::atomic<bool>* stop = nullptr);

}   // namespace cardwright::jit
