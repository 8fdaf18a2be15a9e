// Defines the interface of semantic analysis, which turns the syntax trees of a ruleset into a checked Model for a
// specific number of players and a specific set of options.
#pragma once

#include <memory>
#include <vector>

#include "compiler/model/model.h"
#include "compiler/sema/options/relations.h"

namespace cardwright::sema {

// Builds the Model for one configuration. Returns null after an error.
std::unique_ptr<model::Model> analyze(const Ruleset& ruleset, const Configuration& configuration,
                                      Diagnostics& diagnostics);

// Analyzes the ruleset in several configurations: with the default, minimum and maximum number of players, with each
// option value and each variant, and with the options of each scenario. Returns the configurations without errors,
// starting with the default one.
std::vector<Configuration> check_everything(const Ruleset& ruleset, Diagnostics& diagnostics);

// Reports each allowance in the ruleset's own file that suppressed no warning. Must be called after all warnings have
// been reported.
void report_unused_allowances(const Ruleset& ruleset, Diagnostics& diagnostics);

}   // namespace cardwright::sema
