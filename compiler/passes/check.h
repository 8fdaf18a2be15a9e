// In debug builds: stops, and shows what is wrong, if a pass made a module that the verifier refuses.
#pragma once

#ifdef NDEBUG
#define CARDWRIGHT_CHECK_PASS(pass, module, layout, step) ((void)0)
#else
#include <cstdio>
#include <cstdlib>

#include "compiler/ir/verify.h"
#include "runtime/layout.h"

namespace cardwright::passes {

inline void check_pass(const char* pass, const ir::Module& module, const Layout& layout, bool step) {
  const auto problems = ir::verify(module, {.words = layout.words}, step);
  if (problems.empty()) return;
  std::fprintf(stderr, "after %s: %s\n", pass, problems.front().c_str());
  std::abort();
}

}  // namespace cardwright::passes
#define CARDWRIGHT_CHECK_PASS(pass, module, layout, step) ::cardwright::passes::check_pass(pass, module, layout, step)
#endif
