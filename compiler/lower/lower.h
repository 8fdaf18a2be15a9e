// From the Model to a Program: IR in playout form, State layout, and the words that people are shown.
// In:    a Model that sema/ found no error in.   Out: a Program whose `playout` module ir::verify accepts;
//        passes/ then folds it and makes the stepwise form.
#pragma once

#include <memory>

#include "compiler/model/model.h"
#include "compiler/support/diagnostics.h"
#include "program/program.h"

namespace cardwright::lower {

// Null when the game is too large for a State or for the action space; the reason is in `diagnostics`.
// `plain`: without masks, lanes, tables, kept values, guesses and other short cuts.
std::unique_ptr<Program> lower(const model::Model& model, Diagnostics& diagnostics, bool plain = false);

// The same Program, with a function for each action that says why it can't be done with these parameters, and notes on the way
// (explain.cpp); -1 where there is none. Only those functions are of use.
std::unique_ptr<Program> explain(const model::Model& model, Diagnostics& diagnostics, std::vector<Int>& functions);

// When the frames of the stepwise form are known (passes::split): the rest of the layout, and the initial State.
void finish(Program& program, Int frame_bytes);

}  // namespace cardwright::lower
