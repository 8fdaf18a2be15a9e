// Makes engines; opens the module that holds the JIT when it is first wanted.
#pragma once

#include <memory>
#include <string>

#include "cardwright/cardwright.hpp"
#include "runtime/jit/jit.h"

namespace cardwright::api {

// Throws Error(us) where the JIT is missing or can't compile the Program, which must outlive it.
std::unique_ptr<CompilingEngine> make_compiler(const Program& program, const JitOptions& options = {});
// Whether it is missing, or the Program too large for it, as far as that is seen without opening it. Throws Error(us)
// likewise.
void expect_compiler(const Program& program);
// LLVM's text of a form. Throws Error(us) likewise.
std::string print_llvm(const Program& program, bool stepwise);

}   // namespace cardwright::api
