// From the Model to a Program: IR in playout form, State layout, and the words that people are shown.
// In:    a Model that sema/ found no error in.   Out: a Program whose `playout` module ir::verify accepts;
//        passes/ then folds it and makes the stepwise form.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compiler/model/model.h"
#include "support/diagnostics.h"
#include "runtime/program/program.h"

namespace cardwright::lower {

// Null when the game is too large for a State or for the action space; the reason is in `diagnostics`.
// `plain`: without masks, lanes, tables, kept values, guesses and other short cuts.
std::unique_ptr<Program> lower(const model::Model& model, Diagnostics& diagnostics, bool plain = false);

// A condition that needs no loop over the elements of its domain, and how it is worked out.
struct Planned {
  std::string function;   // of the IR, in which it stands
  Range condition;
  std::string plan;   // plan::print
};
std::vector<Planned> plans(const model::Model& model, Diagnostics& diagnostics);

// A choice without a name: for each source out of which somebody chooses, a function that takes what is chosen and what
// the names in it are.
struct ExplainedChoice {
  Range where;
  std::vector<Int> functions;
};
struct Explanations {
  std::vector<Int> actions;   // by action: its function; -1 where there is none
  std::vector<ExplainedChoice> choices;
};

// The same Program, with functions that say why an action can't be done with these parameters, or something can't be
// chosen, and notes on the way (explain.cpp). Only those functions are of use.
std::unique_ptr<Program> explain(const model::Model& model, Diagnostics& diagnostics, Explanations& explanations);

// When the frames of the stepwise form are known (passes::split): the rest of the layout, and the initial State.
void finish(Program& program, Int frame_bytes);

}   // namespace cardwright::lower
