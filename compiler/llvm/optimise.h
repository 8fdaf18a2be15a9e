// The passes of LLVM that a game goes through, chosen for short compile time.
#pragma once

#include <atomic>

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include "compiler/llvm/emit.h"

namespace cardwright::jit {

// Where `stop` is set, the rest is left out. `small`: such a game can have all of O3 in some tenths of a second. `words`: of a set.
// `parts`: in how many modules the game is compiled, of which this is one.
void optimise(llvm::Module& module, llvm::TargetMachine& machine, bool small, Int words, std::size_t parts, const std::atomic<bool>* stop = nullptr);

}  // namespace cardwright::jit
