// Looks up declared card types, cards, enums and their attributes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

std::optional<model::AttributeId> attribute_of_type(const SemaContext& sema, model::CardTypeId type,
                                                    std::string_view name);
std::vector<std::uint32_t> types_with(const SemaContext& sema, std::uint32_t type, std::string_view name);
std::optional<model::AttributeId> attribute_of_enum(const SemaContext& sema, model::EnumId id, std::string_view name);
bool is_a(const SemaContext& sema, std::uint32_t type, std::uint32_t base);
std::vector<Int> kinds_of_type(const SemaContext& sema, std::uint32_t type);
// Returns the declared type of a card. If none is declared, returns the game's only card type.
std::optional<std::uint32_t> type_of_card(const SemaContext& sema, const Node* card);
std::optional<std::uint32_t> type_of_card(const SemaContext& sema, std::string_view name);
std::string split_words(std::string_view name);
bool has_constant(const SemaContext& sema, std::uint32_t id, std::string_view name);
std::vector<std::string> attributes_in_order(const SemaContext& sema, std::uint32_t type);
// Returns the kind of the card with this name, or the kinds of all cards of the card type with this name.
std::vector<Int> kinds_meant(const SemaContext& sema, std::string_view name);
inline constexpr Int kMostCards = 4'096;

}   // namespace cardwright::sema
