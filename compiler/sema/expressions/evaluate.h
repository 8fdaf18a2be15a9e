// Evaluates checked expressions whose values are known before the game.
#pragma once

#include <optional>
#include <string>

#include "compiler/analysis/evaluate.h"
#include "compiler/sema/context/context.h"

namespace cardwright::sema {

std::optional<ConstantValue> evaluate(SemaContext& sema, const Expr& e);
// Returns an attribute of the current copy. The attribute is either printed or computed from other attributes.
std::optional<Int> attribute_of_copy(SemaContext& sema, std::uint32_t attribute, Range range);
// Returns whether each copy of this card needs a value for the attribute: neither the card nor a default sets it.
bool needs_value(SemaContext& sema, std::uint32_t attribute, std::uint32_t kind);
// Reports that a value is not known before the game. If the last evaluation trapped, reports that trap; otherwise
// reports the given error.
void not_known(SemaContext& sema, Range range, std::string message, std::string help = {});

}   // namespace cardwright::sema
