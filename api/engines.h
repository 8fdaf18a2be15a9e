// Makes engines; opens the module that holds the JIT when it is first wanted.
#pragma once

#include <memory>
#include <string>

#include "cardwright/cardwright.hpp"
#include "runtime/engine.h"

namespace cardwright::api {

// Throws Error(us) where the engine is missing or can't compile the Program, which must outlive it.
std::unique_ptr<Engine> make_engine(const Program& program, EngineKind kind);
// LLVM's text of a form. Throws Error(us) likewise.
std::string print_llvm(const Program& program, bool stepwise);

}  // namespace cardwright::api
