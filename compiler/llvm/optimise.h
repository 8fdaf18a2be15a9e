// The passes of LLVM that a game goes through, chosen for short compile time.
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include "compiler/llvm/emit.h"

namespace cardwright::jit {

void optimise(llvm::Module& module, llvm::TargetMachine& machine, Form form);

}  // namespace cardwright::jit
