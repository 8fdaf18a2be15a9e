// Finds `after` rules of a card about its own leaving: "when this dies".
#pragma once

#include <optional>

#include "compiler/sema/context.h"

namespace cardwright::sema {

// Returns whether some rule of the game contains `together { … }`.
bool says_together(const Ruleset& ruleset);
// Returns whether the card of this rule may have left its zone when the rule runs.
bool may_have_left(const SemaContext& sema, const Node* rule);
// The parameter of the event that must be the rule's own card, by pattern or by `when c == this`.
std::optional<std::size_t> looks_back(const model::Handler& handler);
// Comparisons with `this` that are never true, since the event has moved the card (W0028).
void warn_has_left(SemaContext& sema);

}   // namespace cardwright::sema
