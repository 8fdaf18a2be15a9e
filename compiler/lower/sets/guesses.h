// Guesses the zone in which to search first for a card that is about to move: the zone from which the rule obtained the
// card (analysis/origins.h).
#pragma once

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

Register guess(const FunctionContext& code, const model::Expr& e);
bool guess_is_vague(const FunctionContext& code, const model::Expr& e);
Register guess(const FunctionContext& code, model::LocalId local);
Register guess_before_turned(const FunctionContext& code, const model::Expr& e, bool faceup);
// Returns the zone instance that contains a card.
Register zone_of(const FunctionContext& code, const model::Expr& card);

}   // namespace cardwright::lower
