// Resolves the noun of a selection: `2 cards in me.hand`, `any Creature in S`, `up to 3 players from others`.
#pragma once

#include <optional>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

// Returns the type that a singular or plural noun names, or TypeKind::nothing for `things`, which allows any type. For
// an unknown noun, reports an error and returns poison.
Type picked_noun(RuleContext& rule, const Node* noun);

}   // namespace cardwright::sema
