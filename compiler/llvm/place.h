// Where a trap or a call stands, as compiled code knows it.
#pragma once

#include <cstdint>

namespace cardwright::jit {

struct Place {
  std::uint32_t source, begin, end;
};

}  // namespace cardwright::jit
