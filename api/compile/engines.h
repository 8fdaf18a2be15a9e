// Creates engines; loads the JIT module on first use.
#pragma once

#include <memory>
#include <string>

#include "cardwright/cardwright.hpp"
#include "runtime/jit/jit.h"

namespace cardwright::api {

// Throws Error(internal) if the JIT is missing or cannot compile the Program. The Program must outlive the engine.
std::unique_ptr<CompilingEngine> make_compiler(const Program& program, const JitOptions& options = {});
// Throws Error(internal) if the JIT is missing or the Program is too large for it, as far as this is known without
// loading the JIT.
void expect_compiler(const Program& program);
// LLVM IR of a form as text. Throws Error(internal) under the same conditions.
std::string print_llvm(const Program& program, bool stepwise);

}   // namespace cardwright::api
