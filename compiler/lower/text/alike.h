// Selects options among identical cards. One card represents all of them, except in a row or pile whose order matters
// (analysis/orders.h), where each position is a separate option.
#pragma once

#include <optional>
#include <vector>

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

// Returns the zones from which `who` picks a card.
PickedFrom picked_from(const ProgramContext& unit, const std::vector<const model::Expr*>& domains,
                       std::optional<model::LocalId> who);

// Returns the zones from which these domains take cards, as indices in Program::zones. kNone represents any other zone.
std::vector<Int> zones_offered(const ProgramContext& unit, const std::vector<const model::Expr*>& domains);
std::vector<Int> zones_offered(const ProgramContext& unit, const model::Expr* domain);
std::vector<Int> zones_of_carrier(const model::Carrier& carrier);
// Returns whether the position of a card in one of these zones may matter.
bool place_matters(const ProgramContext& unit, const std::vector<Int>& zones);
// Returns the cards that are separate options.
Register one_of_each(const FunctionContext& code, Register cards, const std::vector<Int>& zones);

}   // namespace cardwright::lower
