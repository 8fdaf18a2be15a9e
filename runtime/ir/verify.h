// Checks the invariants that every phase after lowering relies on. Reports violations of the rules for operands,
// blocks, calls and decision sites.
#pragma once

#include <string>
#include <vector>

#include "runtime/ir/ir.h"

namespace cardwright::ir {

// Limits for references to variables and zones, and the size of sets, which the module does not define. -1: not
// checked.
struct Bounds {
  std::int64_t words = -1;   // words of a card set
  std::int64_t variables = -1;
  std::int64_t zones = -1;
  bool sites = true;   // also check that a game can be resumed at each site, which is the slowest check
};

// Returns a list of problems, empty for a valid module. If `step` is set, the module is in stepwise form, so sites are
// resume points and calls do not suspend.
std::vector<std::string> verify(const Module& module, const Bounds& bounds = {}, bool step = false);

}   // namespace cardwright::ir
