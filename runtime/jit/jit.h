// The door of cardwright_jit, the module that is opened with dlopen: what it exports, without a word of LLVM.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>

#include "runtime/program/program.h"
#include "runtime/engine.h"

namespace cardwright {

struct JitOptions {
  std::size_t most_instructions = 50'000;   // of IR in one form; beyond, the compiler would take too long
  std::size_t most_in_function = 8'000;   // and in one function, after which its time explodes
  // how long each phase took, on standard error (also: CARDWRIGHT_JIT_TIMES=1)
  bool time_phases = false;
  const std::atomic<bool>* stop = nullptr;   // set it, and what is being compiled is given up soon, as a failure
  // /tmp/perf-PID.map names the functions for `perf` (also: CARDWRIGHT_JIT_PERF=1)
  bool perf_map = false;
};

// LLVM's time grows faster than the code, most of all inside one function.
inline bool is_small_enough(const ir::Module& code, const JitOptions& options, std::string& error) {
  std::size_t all = 0;
  for (const ir::Function& function : code.functions) {
    std::size_t count = 0;
    for (const ir::Block& block : function.blocks) count += block.code.size();
    all += count;
    if (count <= options.most_in_function) continue;
    error = "`" + function.name + "` is too large to compile: " + std::to_string(count) + " instructions, at most " +
            std::to_string(options.most_in_function);
    return false;
  }
  if (all <= options.most_instructions) return true;
  error = "too large to compile: " + std::to_string(all) + " instructions, at most " +
          std::to_string(options.most_instructions);
  return false;
}

// What it takes to compile something, as far as its size tells: work of all processors together, and of how many it
// makes use.
struct CompilerWork {
  double seconds = 0;
  int threads = 1;
};

// Into how many parts code of a size is divided, which are compiled side by side. Where one would be smaller than
// kLeast, another thread is not worth its while.
inline int parts_of(std::size_t instructions) {
  constexpr std::size_t kLeast = 800;
  constexpr int kMost = 4;
  const int processors = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  const auto most = static_cast<std::size_t>(std::min(kMost, processors));
  return static_cast<int>(std::clamp<std::size_t>(instructions / kLeast, 1, most));
}

// As measured, on a processor of today: a small form takes longer for its size, as it gets all of LLVM's passes.
inline CompilerWork compiler_work(std::size_t instructions, bool small) {
  constexpr double kSmall = 0.05, kSmallEach = 550e-6, kLarge = 0.05, kLargeEach = 200e-6;
  const auto size = static_cast<double>(instructions);
  return {small ? kSmall + kSmallEach * size : kLarge + kLargeEach * size, parts_of(instructions)};
}

// Compiles what is asked for when it is asked for; or beforehand, on any thread.
class CompilingEngine : public Engine {
 public:
  using Engine::Engine;
  // What untraced playouts run. False, with a reason, if that is interpreted.
  virtual bool prepare_playout(std::string& error) = 0;
  // The same, if it was compiled before and lies in the cache.
  virtual bool find_playout() = 0;
  // What prepare_playout will take, after find_playout has found nothing.
  virtual CompilerWork playout_work() = 0;
  // A function of the stepwise form, with those it calls. Likewise.
  virtual bool prepare_step(ir::FunctionIndex function, std::string& error) = 0;
};

}   // namespace cardwright

extern "C" {

// An engine for the Program, which must outlive it. Null if there can be none, and why in `error`; the caller deletes
// it.
cardwright::CompilingEngine* cardwright_make_jit(const cardwright::Program* program,
                                                 const cardwright::JitOptions* options, char* error,
                                                 std::size_t error_size);
using cardwright_make_jit_type = cardwright::CompilingEngine*(const cardwright::Program*, const cardwright::JitOptions*,
                                                              char*, std::size_t);

// LLVM's text of the playout form (form 0), the traced playout (1) or the stepwise form (2), as emitted or as
// optimised. `write` is called with pieces of it. 0, or 1 with the reason in `error`.
int cardwright_print_llvm(const cardwright::Program* program, int form, int optimised,
                          void (*write)(void* to, const char* text, std::size_t length), void* to, char* error,
                          std::size_t error_size);
using cardwright_print_llvm_type = int(const cardwright::Program*, int, int, void (*)(void*, const char*, std::size_t),
                                       void*, char*, std::size_t);
}
