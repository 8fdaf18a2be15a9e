// Data that a caller of lower() can request in addition to the Program.
#pragma once

#include <string>
#include <vector>

#include "support/source.h"
#include "runtime/program/layout.h"

namespace cardwright::lower {

// A condition that is evaluated without a loop over its domain, and its plan.
struct Planned {
  std::string function;   // the IR function that contains it
  Range condition;
  std::string plan;   // the output of plan::print
};

}   // namespace cardwright::lower
