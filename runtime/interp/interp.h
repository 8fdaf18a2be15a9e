// The interpreter: an Engine that runs a Program's IR as decoded bytecode. Nothing is compiled beforehand; a form is
// decoded when it is first asked for.
#pragma once

#include <memory>

#include "runtime/engine.h"

namespace cardwright {

std::unique_ptr<Engine> make_interpreter(const Program& program);

}  // namespace cardwright
