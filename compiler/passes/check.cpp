// See check.h.
#include "compiler/passes/check.h"

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace cardwright::passes {

namespace {

#ifdef NDEBUG
constexpr bool kAlways = false;
#else
constexpr bool kAlways = true;
#endif

thread_local Verified* listening = nullptr;

}  // namespace

Verified::Verified() : outer_(std::exchange(listening, this)) {}
Verified::~Verified() { listening = outer_; }

void check_pass(const char* pass, const ir::Module& module, const ir::Bounds& bounds, bool step) {
  if (!kAlways && !listening) return;
  for (const std::string& problem : ir::verify(module, bounds, step)) {
    const std::string said = std::string("after ") + pass + ": " + problem;
    if (listening) {
      listening->problems_.push_back(said);
      continue;
    }
    std::fprintf(stderr, "%s\n", said.c_str());
    std::abort();
  }
  if (listening) ++listening->modules_;
}

}  // namespace cardwright::passes
