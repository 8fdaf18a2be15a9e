// Behind a switch that has a case for every kind: no value comes here, and the compiler is told so.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace cardwright {

// Ends the program with what was wrong, since to go on would be to guess.
[[noreturn]] inline void unreachable(const char* what) {
  std::fprintf(stderr, "cardwright: internal error: no case for %s\n", what);
  std::abort();
}

}   // namespace cardwright
