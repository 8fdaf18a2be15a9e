// Determines which cards a type admits. A card type admits its own cards and the cards of all derived types. The name
// of a card admits only that card, and `card` admits every card of the game.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

Type card_of_kind(const SemaContext& sema, std::uint32_t kind, bool optional = false);
std::vector<Int> kinds_in(const SemaContext& sema, const Type& card);
bool admits(const SemaContext& sema, const Type& wide, const Type& narrow);
// Returns the smallest type that admits all cards of these kinds. joined_cards() returns the smallest type that admits
// all cards of both types.
Type card_of_kinds(const SemaContext& sema, const std::vector<Int>& kinds);
Type joined_cards(const SemaContext& sema, const Type& a, const Type& b);

// card_in() returns the type of the cards that a zone can contain, and cards_in() the type of a set of these cards. If
// ZoneCards are available, the type is inferred from them.
Type card_in(const SemaContext& sema, std::uint32_t zone, bool optional = false);
Type cards_in(const SemaContext& sema, std::uint32_t zone);
bool is_found(const Type& card);   // the type is inferred rather than declared

// Returns the first kind that `card` admits and that lacks all of these attributes.
std::optional<std::uint32_t> kind_without(const SemaContext& sema, const Type& card,
                                          const std::vector<model::AttributeId>& attributes);

// Returns the kinds of all cards that count as one of `kinds` somewhere in the game, including `kinds` themselves.
std::vector<Int> kinds_counting_as(const SemaContext& sema, const std::vector<Int>& kinds);

// Returns help text that shows the condition which narrows a card, or a set of cards, to the wanted type.
std::string narrowing_help(const SemaContext& sema, const Expr* e, const Type& wanted);

}   // namespace cardwright::sema
