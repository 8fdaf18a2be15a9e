// Lowers a Model in which sema/ found no errors to a Program: IR in playout form, the State layout, and the texts shown
// to players. ir::verify accepts the resulting `playout` module; passes/ then optimizes it and generates the stepwise
// form.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compiler/model/model.h"
#include "support/diagnostics.h"
#include "runtime/program/program.h"

namespace cardwright::lower {

// Returns null if the game is too large for a State or for the action space; the reason is in `diagnostics`. If `plain`
// is true, emits code without masks, lanes, tables, memoized values, guesses and other optimizations.
std::unique_ptr<Program> lower(const model::Model& model, Diagnostics& diagnostics, bool plain = false);

// A condition that is evaluated without a loop over its domain, and its plan.
struct Planned {
  std::string function;   // the IR function that contains it
  Range condition;
  std::string plan;   // plan::print
};
std::vector<Planned> plans(const model::Model& model, Diagnostics& diagnostics);

// An anonymous choice. For each source of options, `functions` contains a function that takes the chosen element and
// the values of the names in the choice.
struct ExplainedChoice {
  Range where;
  std::vector<Int> functions;
};
struct Explanations {
  std::vector<Int> actions;   // the function of each action; -1 if there is none
  std::vector<ExplainedChoice> choices;
};

// Lowers the same Program with functions that record why an action is not allowed with given parameters, or why an
// element cannot be chosen (explain.cpp). Only these functions can be run.
std::unique_ptr<Program> explain(const model::Model& model, Diagnostics& diagnostics, Explanations& explanations);

// Completes the layout and the initial State once the frame size of the stepwise form is known (passes::split).
void finish(Program& program, Int frame_bytes);

}   // namespace cardwright::lower
