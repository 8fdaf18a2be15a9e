// Defines the interface of cardwright_jit, a module that is loaded with dlopen: its exported functions, without LLVM
// types.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>

#include "runtime/passes/passes.h"
#include "runtime/program/program.h"
#include "runtime/engine.h"

namespace cardwright {

struct JitOptions {
  // Maximum number of IR instructions in a form that is compiled as a whole. Larger forms take too long to compile.
  std::size_t most_instructions = 50'000;
  std::size_t most_in_function = 8'000;   // maximum in one function; beyond it, compile time grows too fast
  // Prints the time of each phase to standard error (also: CARDWRIGHT_JIT_TIMES=1).
  bool time_phases = false;
  const std::atomic<bool>* stop = nullptr;   // when it becomes true, the current compilation soon stops with an error
  // Writes /tmp/perf-PID.map with function names for `perf` (also: CARDWRIGHT_JIT_PERF=1).
  bool perf_map = false;
};

// Returns false and a reason for code that is too large to compile. LLVM's compile time grows faster than the size of
// the code, especially within one function.
inline bool is_small_enough(const ir::Function& function, const JitOptions& options, std::string& error) {
  const std::size_t count = passes::size_of(function);
  if (count <= options.most_in_function) return true;
  error = "`" + function.name + "` is too large to compile: " + std::to_string(count) + " instructions, at most " +
          std::to_string(options.most_in_function);
  return false;
}
inline bool is_small_enough(const ir::Module& code, const JitOptions& options, std::string& error) {
  std::size_t all = 0;
  for (const ir::Function& function : code.functions) {
    if (!is_small_enough(function, options, error)) return false;
    all += passes::size_of(function);
  }
  if (all <= options.most_instructions) return true;
  error = "the game is too large to compile: " + std::to_string(all) + " instructions, at most " +
          std::to_string(options.most_instructions);
  return false;
}

// Returns false and a reason if the code of untraced playouts is too large to compile. In very large games, computing
// that code takes a fraction of a second.
inline bool can_compile_playout(const Program& program, const JitOptions& options, std::string& error) {
  return is_small_enough(program.playout, options, error) ||
         is_small_enough(passes::as_compiled_playout(program), options, error);
}

// Estimated cost of a compilation, from the size of the code: CPU time of all processors together, and the number of
// processors it can use.
struct CompilerWork {
  double seconds = 0;
  int threads = 1;
};

// Returns the number of parts that are compiled in parallel for code of this size. For parts of fewer than kLeast
// instructions, another thread costs more than it saves.
inline int parts_of(std::size_t instructions) {
  constexpr std::size_t kLeast = 800;
  constexpr int kMost = 4;
  const int processors = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  const auto most = static_cast<std::size_t>(std::min(kMost, processors));
  return static_cast<int>(std::clamp<std::size_t>(instructions / kLeast, 1, most));
}

// Estimates the cost of compilation with constants measured on a current processor. A small form takes longer for its
// size, because all of LLVM's passes run on it.
inline CompilerWork compiler_work(std::size_t instructions, bool small) {
  constexpr double kSmall = 0.05, kSmallEach = 550e-6, kLarge = 0.05, kLargeEach = 200e-6;
  const auto size = static_cast<double>(instructions);
  return {small ? kSmall + kSmallEach * size : kLarge + kLargeEach * size, parts_of(instructions)};
}

// An engine that compiles code on first use, or in advance on any thread.
class CompilingEngine : public Engine {
 public:
  using Engine::Engine;
  // Compiles the code of untraced playouts. Returns false and a reason if they must be interpreted.
  virtual bool prepare_playout(std::string& error) = 0;
  // Like prepare_playout(), but only loads code from the cache. Returns false if the cache does not contain it.
  virtual bool find_playout() = 0;
  // Returns the estimated cost of prepare_playout() after find_playout() has returned false.
  virtual CompilerWork playout_work() = 0;
  // Compiles a function of the stepwise form and its callees. Returns false and a reason on failure.
  virtual bool prepare_step(ir::FunctionIndex function, std::string& error) = 0;
};

}   // namespace cardwright

extern "C" {

// Creates an engine for the Program, which must outlive it. Returns null and a reason in `error` on failure; the caller
// deletes the engine.
cardwright::CompilingEngine* cardwright_make_jit(const cardwright::Program* program,
                                                 const cardwright::JitOptions* options, char* error,
                                                 std::size_t error_size);
using cardwright_make_jit_type = cardwright::CompilingEngine*(const cardwright::Program*, const cardwright::JitOptions*,
                                                              char*, std::size_t);

// Passes the LLVM IR of the playout form (form 0), the traced playout (1) or the stepwise form (2) to `write` in
// chunks, before or after optimization. Returns 0, or 1 with the reason in `error`.
int cardwright_print_llvm(const cardwright::Program* program, int form, int optimized,
                          void (*write)(void* to, const char* text, std::size_t length), void* to, char* error,
                          std::size_t error_size);
using cardwright_print_llvm_type = int(const cardwright::Program*, int, int, void (*)(void*, const char*, std::size_t),
                                       void*, char*, std::size_t);
}
