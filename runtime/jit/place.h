// Where a trap or a call stands, as compiled code knows it.
#pragma once

#include <cstdint>

namespace cardwright::jit {

struct Place {
  std::uint32_t source, begin, end;
  std::uint32_t of;   // the function in which that stands: the one compiled, or one joined to it
};

}   // namespace cardwright::jit
