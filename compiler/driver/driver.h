// Compiles a Model into a Program: lowering and IR passes.
// Input:  a Model for a specific number of players and a specific set of options.
// Output: a Program with the lowered and the stepwise form, or a Program that explains why an action is not possible.
#pragma once

#include <memory>
#include <vector>

#include "compiler/lower/lower.h"
#include "compiler/model/model.h"
#include "support/diagnostics.h"
#include "runtime/program/program.h"

namespace cardwright::driver {

// Returns null after reporting an error, for example if the game is too large. If `plain` is true, no optimizations are
// applied.
std::unique_ptr<Program> make_program(const model::Model& model, Diagnostics& diagnostics, bool plain = false);

// Makes a Program with the same state layout that explains why an action or a choice is not possible. Only the
// functions of Program::explanations can be run, in the stepwise form. Returns null if the game is too large.
std::unique_ptr<Program> make_explaining(const model::Model& model, Diagnostics& diagnostics, bool plain);

// Returns the plans for set conditions that can be evaluated without a loop, in the order in which the compiler finds
// them.
std::vector<lower::Planned> plans(const model::Model& model, Diagnostics& diagnostics);

// Warns about offers that reveal hidden information to their player.
void report_offer_leaks(const model::Model& model, Diagnostics& diagnostics);

}   // namespace cardwright::driver
