// Defines an engine that starts by interpreting, compiles in the background, and switches to compiled code part by
// part: the playout form as a whole, and the step form function by function. The moment of switching does not affect
// games, because a State can change engines at every step.
#pragma once

#include <memory>
#include <optional>

#include "runtime/jit/jit.h"
#include "runtime/engine.h"

namespace cardwright::api {

class BackgroundEngine : public Engine {
 public:
  using Engine::Engine;
  // Returns true if playouts run compiled code.
  virtual bool is_compiled() const = 0;
  // Waits until playouts are compiled or compilation failed; returns false on timeout.
  virtual bool wait_for_compiler(double seconds) = 0;

  // By default, playouts are compiled after a fixed number of them. If `on` is true, they are compiled only when the
  // host requests it, as WhenToCompile does.
  virtual void leave_to_host(bool on) = 0;
  virtual bool was_compiled() = 0;   // true if the Program was compiled before, so that the cache can contain its code
  virtual CompilerWork least_work() = 0;   // lower bound of the compiler's work, estimated from the code size
  virtual void find_playout() = 0;   // loads the compiler, and searches the cache for compiled code
  virtual void compile_playout() = 0;
  // Returns an estimate of the compile time; empty until the cache has been searched without success.
  virtual std::optional<CompilerWork> playout_work() = 0;
};

// Creates an engine that keeps the Program alive while the compiler needs it. Throws Error(internal) if there is no
// JIT, or if the JIT cannot compile the Program.
std::unique_ptr<BackgroundEngine> make_background_engine(std::shared_ptr<const Program> program);

}   // namespace cardwright::api
