// Selects options among equal cards. One of them represents all, except where the order of a row or pile matters: there
// each place is an option of its own (analysis/orders.h decides where).
#pragma once

#include <vector>

#include "compiler/lower/function_context.h"

namespace cardwright::lower {

// The zones from which these domains take cards, as numbers of the Program; kNone means any other zones.
std::vector<Int> zones_offered(const ProgramContext& unit, const std::vector<const model::Expr*>& domains);
std::vector<Int> zones_offered(const ProgramContext& unit, const model::Expr* domain);
std::vector<Int> zones_of_carrier(const model::Carrier& carrier);
// Returns whether the place of a card in one of these zones may matter.
bool place_matters(const ProgramContext& unit, const std::vector<Int>& zones);
// The cards of which each is an option.
Register one_of_each(const FunctionContext& code, Register cards, const std::vector<Int>& zones);

}   // namespace cardwright::lower
