// The cards that a type admits. A card type admits its own cards and those of the types derived from it, the name of a
// card admits that card only, and `card` admits every card of the game.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/sema/context.h"

namespace cardwright::sema {

Type card_of_kind(const SemaContext& sema, std::uint32_t kind, bool optional = false);
std::vector<Int> kinds_in(const SemaContext& sema, const Type& card);
bool admits(const SemaContext& sema, const Type& wide, const Type& narrow);
// The smallest type that admits all of these kinds, or all cards of both types.
Type card_of_kinds(const SemaContext& sema, const std::vector<Int>& kinds);
Type joined_cards(const SemaContext& sema, const Type& a, const Type& b);

// The type of the cards that a zone can hold, as far as that is known: see ZoneCards.
Type card_in(const SemaContext& sema, std::uint32_t zone, bool optional = false);
Type cards_in(const SemaContext& sema, std::uint32_t zone);
bool is_found(const Type& card);   // nobody declared it

// The first kind of such a card that lacks all of these attributes, if there is one.
std::optional<std::uint32_t> kind_without(const SemaContext& sema, const Type& card,
                                          const std::vector<model::AttributeId>& attributes);

// The printed kinds of cards that count as one of `kinds` somewhere in the game, those kinds included.
std::vector<Int> kinds_counting_as(const SemaContext& sema, const std::vector<Int>& kinds);

// The narrowing that makes a card, or a set of cards, fit a type: help for a message.
std::string narrowing_help(const SemaContext& sema, const Expr* e, const Type& wanted);

}   // namespace cardwright::sema
