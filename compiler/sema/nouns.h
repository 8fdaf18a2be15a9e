// Resolves the noun of a selection: `2 cards in me.hand`, `any Creature in S`, `up to 3 players from others`.
#pragma once

#include <optional>

#include "compiler/sema/context.h"

namespace cardwright::sema {

// Returns the type that a noun names, in singular or plural; TypeKind::nothing for `things`, which may have any type.
// Reports an unknown noun and returns poison for it.
Type picked_noun(RuleContext& rule, const Node* noun);

}   // namespace cardwright::sema
