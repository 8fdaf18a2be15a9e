// Builds `given …`, which defines the initial state of a scenario.
#pragma once

#include <optional>
#include <utility>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

std::optional<std::uint32_t> area_in(const SemaContext& sema, const Node* node);
std::optional<std::pair<std::uint32_t, Int>> area_part(SemaContext& sema, const Node* node);
void givens(RuleContext& rule, const Node* list, model::ScenarioLine& line);

}   // namespace cardwright::sema
