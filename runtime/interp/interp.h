// The interpreter: an Engine that runs a Program's IR as decoded bytecode. Nothing is compiled beforehand; a form is
// decoded when it is first asked for.
#pragma once

#include <memory>

#include "runtime/engine.h"

namespace cardwright {

class Interpreter : public Engine {
 public:
  using Engine::Engine;
  virtual std::size_t playout_size() = 0;   // of the playout form: instructions
};

std::unique_ptr<Interpreter> make_interpreter(const Program& program);

}   // namespace cardwright
