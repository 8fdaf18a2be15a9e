// Tracks what each player knows. Operations report moves, looks and shuffles (sinks.h); views and resampled worlds are
// computed from the result. No other code decides what a player may see.
//
// For an observer p and a card c, `where` is 0 if p knows which card it is and where it is. Otherwise it is the set of
// hidden instances in which c may be according to p's knowledge. The true State is always one of the worlds that this
// allows. The cards that a player does not know form a card set. Few different values of `where` exist at a time: they
// are numbered for all players together, and each card has a number, stored as bit planes in card sets. The entry of a
// number has no meaning for a player who knows its cards. When numbers run out, two similar values are merged into a
// less precise one.
//
// In an ordered pile the position of a known card is known too; a `where` of only that pile means that the card is in
// it at an open position. The cards of a pile that a player has arranged are a place of their own until they leave it
// or are shuffled: which positions they have, at the top or bottom, is public, and a player who knew some of them knows
// that they are still among them. If the pile is arranged again, old and new cards are one place.
#pragma once

#include <span>

#include <nlohmann/json.hpp>

#include "runtime/program/program.h"
#include "runtime/state.h"

namespace cardwright {

bool knows_card(const Layout& l, const Byte* s, Int observer, Int card);
bool knows_variable(const Program& program, const Byte* s, Int observer, Int variable, Int index);
Word where_card(const Layout& l, const Byte* s, Int player, Int card);   // mask of hidden places; 0: known
// The hidden place of a card in that instance; -1: visible to all.
Int hidden_place(const Layout& l, const Byte* s, Int card, Int instance);
// Applies a permutation of cards to the knowledge of all players except `but`.
void exchange_knowledge(const Layout& l, Byte* s, Int but, std::span<const Int> becomes);

// The pending decision as reported by the engine; player -1: none.
struct Pending {
  Int player = -1;
  Int site = -1;
  std::span<const Int> options;   // ids, shown only to that player
  std::span<const std::string> words;   // names of the options; empty: use the names that hold in every State
  std::optional<std::string> prompt;   // empty: use the prompt of the site
};

// Returns what a player may know, computed from knowledge alone. Observer -1 sees everything. The order of entries does
// not depend on hidden information.
nlohmann::json view(const Program& program, const Byte* s, Int observer, const Pending& pending = {});

}   // namespace cardwright
