// Scenes and scenarios: everything in them resolved to seats, cards, actions and conditions.
#pragma once

#include <optional>

#include "compiler/sema/context.h"

namespace cardwright::sema {

void build_scenarios(SemaContext& sema);
// Adds to Model::claims what works out a value of this type on the table as it is laid out.
std::optional<std::size_t> computed_value(RuleContext& rule, const Node* e, const Type& type);

}   // namespace cardwright::sema
