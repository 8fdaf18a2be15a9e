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

// An anonymous choice. For each source of options, `functions` contains a function that takes the chosen element and
// the values of the names that the choice reads.
struct ExplainedChoice {
  Range where;
  std::vector<Int> functions;
};
struct Explanations {
  std::vector<Int> actions;   // the function of each action; -1 if there is none
  std::vector<ExplainedChoice> choices;
};

}   // namespace cardwright::lower
