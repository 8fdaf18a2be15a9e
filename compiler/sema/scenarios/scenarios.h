// Builds scenes and scenarios, in which all names are resolved to seats, cards, actions and conditions.
#pragma once

#include <optional>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

void build_scenarios(SemaContext& sema);
// Adds a body to Model::claims that computes a value of this type in the initial state of the scenario. Returns its
// index.
std::optional<std::size_t> computed_value(RuleContext& rule, const Node* e, const Type& type);

}   // namespace cardwright::sema
