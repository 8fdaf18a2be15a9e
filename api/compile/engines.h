// Creates engines; loads the JIT module on first use.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "cardwright/cardwright.hpp"
#include "runtime/jit/jit.h"

namespace cardwright::api {

// Creates a JIT engine. Throws Error(internal) if the JIT is missing or cannot compile the Program. The Program must
// outlive the engine.
std::unique_ptr<CompilingEngine> make_compiler(const Program& program, const JitOptions& options = {});
// Throws Error(internal) if the JIT is missing, or if the Program is too large for it. Does not load the JIT, so it
// cannot detect all errors.
void expect_compiler(const Program& program);
// A function or a game that is too large for the JIT to compile. `what` describes it for messages.
struct TooLarge {
  Range where;
  std::string what;
};
std::optional<TooLarge> too_large_for_jit(const Program& program);
// Returns the LLVM IR of the step form (`stepwise`) or of the playout form as text. Throws Error(internal) under the
// same conditions as make_compiler.
std::string print_llvm(const Program& program, bool stepwise);

}   // namespace cardwright::api
