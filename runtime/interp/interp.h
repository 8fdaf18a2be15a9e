// Creates the interpreter, an Engine that runs a Program's IR as decoded bytecode. Nothing is compiled in advance; each
// form is decoded on first use.
#pragma once

#include <memory>

#include "runtime/engine.h"

namespace cardwright {

class Interpreter : public Engine {
 public:
  using Engine::Engine;
  virtual std::size_t playout_size() = 0;   // number of instructions of the playout form
};

std::unique_ptr<Interpreter> make_interpreter(const Program& program);

}   // namespace cardwright
