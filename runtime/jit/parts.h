// Divides a form's functions into parts that are compiled side by side.
#pragma once

#include <vector>

#include "runtime/ir/ir.h"

namespace cardwright::jit {

enum class Linkage : std::uint8_t {
  internal,   // called from its own part only
  shared,   // called from other parts too
  copied,   // at home in another part; small, so that it may be inlined here too
};

struct Part {
  std::vector<ir::FunctionIndex> functions;
  std::vector<Linkage> linkage;   // by position in `functions`
};

std::vector<ir::FunctionIndex> functions_with_code(const ir::Module& code);

// Parts of about the same size, as many as parts_of says (jit.h). Functions that call each other stay together where
// they can.
std::vector<Part> divide(const ir::Module& code, const std::vector<ir::FunctionIndex>& roots);

}   // namespace cardwright::jit
