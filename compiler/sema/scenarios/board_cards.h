// Builds the given places of cards on a board.
#pragma once

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

bool given_card_at(RuleContext& rule, const Node* node, model::Given& g, model::ScenarioLine& line);

}   // namespace cardwright::sema
