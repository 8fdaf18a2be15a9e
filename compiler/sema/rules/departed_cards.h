// Finds `after` rules of a card that apply when the card itself leaves its zone, as in "when this dies".
#pragma once

#include <optional>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

// Returns whether a rule of the game contains `together { … }`.
bool contains_together(const Ruleset& ruleset);
// Returns whether the card of this rule may have left its zone when the rule runs.
bool may_have_left(const SemaContext& sema, const Node* rule);
// Returns the index of the event parameter that must be the rule's own card, because of either a pattern or `when c ==
// this`.
std::optional<std::size_t> own_card_parameter(const model::Handler& handler);
// Warns about comparisons with `this` that are never true, because the event has moved the card (W0028).
void warn_has_left(SemaContext& sema);

}   // namespace cardwright::sema
