// The noun of a pick: `2 cards in me.hand`, `any Creature in S`, `up to 3 players from others`.
#pragma once

#include <optional>

#include "compiler/sema/context.h"

namespace cardwright::sema {

// The type that a noun names, in singular or plural; TypeKind::nothing for `things`, which may be of any type. An
// unknown noun is reported as an error and gives poison.
Type picked_noun(RuleContext& rule, const Node* noun);

}   // namespace cardwright::sema
