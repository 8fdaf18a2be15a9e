// Builds `given …`, which defines the initial state of a scenario.
#pragma once

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

void givens(RuleContext& rule, const Node* list, model::ScenarioLine& line);

}   // namespace cardwright::sema
