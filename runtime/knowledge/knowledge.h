// Tracks what each player knows. Operations report when cards are moved, shown or shuffled (runtime/ops/sinks.h). Views
// (api/view/observed_state.h) and resampled worlds are computed from the result.
//
// For an observer p and a card c, `where` is 0 if p knows which card it is and where it is. Otherwise it is the set of
// hidden instances in which c may be according to p's knowledge. The true State is always one of the worlds that this
// allows. The cards that a player does not know form a card set. Few different values of `where` exist at a time: they
// are numbered for all players together, and each card has a number, stored as bit planes in card sets. The number of a
// card has no meaning for a player who knows the card. When all numbers are used, two similar values are merged into a
// less precise one.
//
// In an ordered pile, the position of a known card is also known; if `where` contains only that pile, the card is in it
// at an unknown position. The cards of a pile that a player has arranged form a separate hidden place until they leave
// the pile or are shuffled. All players know which positions at the top or bottom these cards occupy, and a player who
// knew some of them knows that they are still among them. If the pile is arranged again, all arranged cards form one
// place.
#pragma once

#include <span>

#include "runtime/program/program.h"
#include "runtime/state/state.h"

namespace cardwright {

// Resets each player's knowledge to the cards and values that the player can see. Call it after zones and variables
// were set directly.
void forget_all(const Program& program, Byte* s);
bool knows_card(const Layout& l, const Byte* s, Int observer, Int card);
bool knows_variable(const Program& program, const Byte* s, Int observer, Int variable, Int index);
Word where_card(const Layout& l, const Byte* s, Int player, Int card);   // mask of hidden places; 0: known
// Returns the hidden place of a card in that instance, or -1 if the card is visible to all.
Int hidden_place(const Layout& l, const Byte* s, Int card, Int instance);
// Applies a permutation of cards to the knowledge of all players except `but`.
void exchange_knowledge(const Layout& l, Byte* s, Int but, std::span<const Int> becomes);

}   // namespace cardwright
