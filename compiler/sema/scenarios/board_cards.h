// Builds the initial positions of cards on a board in scenarios.
#pragma once

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

bool given_card_at(RuleContext& rule, const Node* node, model::Given& g, model::ScenarioLine& line);

}   // namespace cardwright::sema
