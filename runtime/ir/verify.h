// Checks what every phase after lowering relies on: operands and their kinds, blocks, calls, decision sites.
#pragma once

#include <string>
#include <vector>

#include "runtime/ir/ir.h"

namespace cardwright::ir {

// What the module may refer to outside itself; -1: not checked.
struct Bounds {
  std::int64_t words = -1;   // of a card set
  std::int64_t variables = -1;
  std::int64_t zones = -1;
  bool sites = true;   // that a game can be resumed at its sites, which takes longest to check
};

// Empty if all is well. `step`: the module is in stepwise form, so sites are resume points and calls don't suspend.
std::vector<std::string> verify(const Module& module, const Bounds& bounds = {}, bool step = false);

}   // namespace cardwright::ir
