// Marks unreachable code, such as the code after a switch that handles every enumerator.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace cardwright {

// Aborts the program with an internal error.
[[noreturn]] inline void unreachable(const char* what) {
  std::fprintf(stderr, "cardwright: internal error: no case for %s\n", what);
  std::abort();
}

}   // namespace cardwright
