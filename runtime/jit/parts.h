// Divides a form's functions into parts that are compiled in parallel.
#pragma once

#include <vector>

#include "runtime/ir/ir.h"

namespace cardwright::jit {

enum class Linkage : std::uint8_t {
  internal,   // called from its own part only
  shared,   // called from other parts too
  copied,   // belongs to another part; copied to this part because it is small enough to inline
};

struct Part {
  std::vector<ir::FunctionIndex> functions;
  std::vector<Linkage> linkage;   // by position in `functions`
};

std::vector<ir::FunctionIndex> functions_with_code(const ir::Module& code);

// Returns parts of about equal size; parts_of (jit.h) determines their number. Functions that call each other stay
// together where possible.
std::vector<Part> divide(const ir::Module& code, const std::vector<ir::FunctionIndex>& roots);

}   // namespace cardwright::jit
