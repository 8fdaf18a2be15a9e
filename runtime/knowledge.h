// Who knows what. Operations tell it of moves, looks and shuffles (sinks.h); from it come a player's view and
// resampled worlds. Nothing else decides what a player may see.
//
// For an observer p and a card c, `where` is 0 if p knows which card it is and where it lies, and otherwise the set of
// hidden instances in which c may lie as far as p knows. The truth is always one of the worlds that this allows.
// What a player doesn't know is a card set. There are few different `where` at a time: they are numbered, for all
// players at once, and each card has a number, bit by bit in card sets. What a number says for a player who knows its
// cards means nothing. If there are more than numbers, two that are much alike become one that says less.
// In an ordered pile a known card's position is known too; {that pile} alone says: it is in there, at an open position.
// The cards of a pile that somebody has arranged are a place of their own, until they leave it or are shuffled: all see
// which those are, top or bottom, and who knew some of them knows that they still are among them. Arranged again, they
// and the others are one place.
#pragma once

#include <span>

#include <nlohmann/json.hpp>

#include "runtime/program/program.h"
#include "runtime/state.h"

namespace cardwright {

bool knows_card(const Layout& l, const Byte* s, Int observer, Int card);
bool knows_variable(const Program& program, const Byte* s, Int observer, Int variable, Int index);
Word where_card(const Layout& l, const Byte* s, Int player, Int card);   // mask of hidden places; 0: known
// that of a card which lies there; -1: all see it
Int hidden_place(const Layout& l, const Byte* s, Int card, Int instance);
// What all but one player know of each card is from now on true of the card that it becomes.
void exchange_knowledge(const Layout& l, Byte* s, Int but, std::span<const Int> becomes);

// The pending decision as the engine told it; player -1: none.
struct Pending {
  Int player = -1;
  Int site = -1;
  std::span<const Int> options;   // ids, shown to that player only
  std::span<const std::string> words;   // of the options; none: as they are called in every state
  std::optional<std::string> prompt;   // none: as the site has it
};

// What a player may know, by knowledge alone. Observer -1 sees all. In an order that doesn't depend on what is hidden.
nlohmann::json view(const Program& program, const Byte* s, Int observer, const Pending& pending = {});

}   // namespace cardwright
