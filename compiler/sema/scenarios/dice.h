// Builds the dice of scenarios: their initial faces and their rolls.
#pragma once

#include "compiler/sema/context/context.h"
#include "compiler/sema/scenarios/steps.h"

namespace cardwright::sema {

void given_shows(SemaContext& sema, const Node* node, model::Given g, model::ScenarioLine& line);
void rolls(RuleContext& rule, Int player, const Items& items, const Node* node, model::ScenarioLine& line);

}   // namespace cardwright::sema
