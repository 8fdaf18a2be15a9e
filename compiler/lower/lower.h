// Lowers a Model in which sema/ found no errors to a Program: IR in the playout form, the State layout, and the strings
// shown to players. The resulting module `playout` satisfies ir::verify; passes/ then optimizes it and generates the
// stepwise form.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compiler/lower/context/requests.h"
#include "compiler/model/model.h"
#include "support/diagnostics.h"
#include "runtime/program/program.h"

namespace cardwright::lower {

// Returns null if the game is too large for a State or for the action space; the reason is in `diagnostics`. If `plain`
// is true, emits code without masks, lanes, tables, memoized values, guesses and other optimizations.
std::unique_ptr<Program> lower(const model::Model& model, Diagnostics& diagnostics, bool plain = false);

std::vector<Planned> plans(const model::Model& model, Diagnostics& diagnostics);

// Lowers the Model to the same Program, plus functions that explain why an action is not possible, or why an element
// cannot be chosen (Program::explanations). Only these functions of the result may be run.
std::unique_ptr<Program> explain(const model::Model& model, Diagnostics& diagnostics, bool plain);

}   // namespace cardwright::lower
