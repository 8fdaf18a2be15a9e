// The compiler from a Model on: lowering, and the passes behind it.
// In:    a Model, of one number of players and one set of options.
// Out:   a Program, with the lowered and the stepwise form; or one that answers why something can't be done.
#pragma once

#include <memory>
#include <vector>

#include "compiler/lower/lower.h"
#include "compiler/model/model.h"
#include "support/diagnostics.h"
#include "runtime/program/program.h"

namespace cardwright::driver {

// Null if the game is too large, and then `diagnostics` says why. `plain`: without short cuts.
std::unique_ptr<Program> make_program(const model::Model& model, Diagnostics& diagnostics, bool plain = false);

// A Program of the same States that says why an action can't be done with its parameters, or something can't be chosen:
// by the functions in `explanations`. Only these can be run, in the stepwise form. Null if the game is too large.
std::unique_ptr<Program> make_explaining(const model::Model& model, Diagnostics& diagnostics,
                                         lower::Explanations& explanations);

// How conditions over sets are worked out without a loop, in the order in which the compiler comes to them.
std::vector<lower::Planned> plans(const model::Model& model, Diagnostics& diagnostics);

// Warns of offers that would tell their player what they may not know.
void look_at_offers(const model::Model& model, Diagnostics& diagnostics);

}   // namespace cardwright::driver
