// Selects options among identical cards: one card represents all of them, except where the order of a row or pile
// matters. There each position is a separate option (analysis/orders.h decides where).
#pragma once

#include <vector>

#include "compiler/lower/function_context.h"

namespace cardwright::lower {

// The zones from which these domains take cards, as indices into Program::zones; kNone stands for any other zone.
std::vector<Int> zones_offered(const ProgramContext& unit, const std::vector<const model::Expr*>& domains);
std::vector<Int> zones_offered(const ProgramContext& unit, const model::Expr* domain);
std::vector<Int> zones_of_carrier(const model::Carrier& carrier);
// Returns whether the position of a card in one of these zones may matter.
bool place_matters(const ProgramContext& unit, const std::vector<Int>& zones);
// Returns the cards that are separate options.
Register one_of_each(const FunctionContext& code, Register cards, const std::vector<Int>& zones);

}   // namespace cardwright::lower
