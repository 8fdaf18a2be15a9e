// Defines the source position of a trap or a call in compiled code.
#pragma once

#include <cstdint>

namespace cardwright::jit {

struct Place {
  std::uint32_t source, begin, end;
  std::uint32_t of;   // the function that contains the position: the compiled one, or one joined to it
};

}   // namespace cardwright::jit
