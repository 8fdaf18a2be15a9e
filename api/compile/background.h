// An engine that interprets at once, compiles meanwhile, and goes over to compiled code piece by piece as that is
// ready: the playout form as a whole, the stepwise form function by function. Games are the same whenever that happens,
// since a State may go from one engine to the other at every step.
#pragma once

#include <memory>
#include <optional>

#include "runtime/jit/jit.h"
#include "runtime/engine.h"

namespace cardwright::api {

class BackgroundEngine : public Engine {
 public:
  using Engine::Engine;
  // Playouts run compiled code from now on.
  virtual bool is_compiled() const = 0;
  // Waits until they do, or never will; false when that takes longer.
  virtual bool wait_for_compiler(double seconds) = 0;

  // Playouts are compiled when some were played; but while somebody knows better (see WhenToCompile), when they say so.
  virtual void leave_to_host(bool on) = 0;
  virtual bool was_compiled() = 0;   // so it may lie in the cache
  virtual CompilerWork least_work() = 0;   // of a compiler, as far as the size tells
  virtual void find_playout() = 0;   // opens the compiler, which takes what lies in the cache
  virtual void compile_playout() = 0;
  // What compiling will take, once it is known that it has to be done.
  virtual std::optional<CompilerWork> playout_work() = 0;
};

// The Program is kept as long as the compiler needs it. Throws Error(us) where there is no JIT or it can't compile the
// Program.
std::unique_ptr<BackgroundEngine> make_background_engine(std::shared_ptr<const Program> program);

}   // namespace cardwright::api
