// The door of cardwright_jit, the module that is opened with dlopen: what it exports, without a word of LLVM.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/engine.h"
#include "runtime/program.h"

namespace cardwright {

struct JitOptions {
  std::size_t most_instructions = 50'000;   // of IR in one form; beyond, the compiler would take too long
  std::size_t most_in_function = 6'000;       // and in one function, after which its time explodes
  bool time_phases = false;                 // how long each phase took, on standard error (also: CARDWRIGHT_JIT_TIMES=1)
  bool perf_map = false;                    // /tmp/perf-PID.map names the functions for `perf` (also: CARDWRIGHT_JIT_PERF=1)
};

}  // namespace cardwright

extern "C" {

// An engine for the Program, which must outlive it. Null if there can be none, and why in `error`; the caller deletes it.
cardwright::Engine* cardwright_make_jit(const cardwright::Program* program, const cardwright::JitOptions* options,
                                        char* error, std::size_t error_size);
using cardwright_make_jit_type = cardwright::Engine*(const cardwright::Program*, const cardwright::JitOptions*, char*,
                                                     std::size_t);

// LLVM's text of the playout form (form 0), the traced playout (1) or the stepwise form (2), as emitted or as optimised.
// `write` is called with pieces of it. 0, or 1 with the reason in `error`.
int cardwright_print_llvm(const cardwright::Program* program, int form, int optimised,
                          void (*write)(void* to, const char* text, std::size_t length), void* to, char* error,
                          std::size_t error_size);
using cardwright_print_llvm_type = int(const cardwright::Program*, int, int, void (*)(void*, const char*, std::size_t),
                                       void*, char*, std::size_t);

}
