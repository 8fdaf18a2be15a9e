// Builds scenes and scenarios, with all names resolved to seats, cards, actions and conditions.
#pragma once

#include <optional>

#include "compiler/sema/context.h"

namespace cardwright::sema {

void build_scenarios(SemaContext& sema);
// Adds a body to Model::claims that computes a value of this type in the state that the scenario sets up.
std::optional<std::size_t> computed_value(RuleContext& rule, const Node* e, const Type& type);

}   // namespace cardwright::sema
